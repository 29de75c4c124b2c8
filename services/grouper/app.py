"""The Faust application: one agent over `wire.articles`, one table, and what fences Faust's known holes.

docs/architecture.md tells what each of these was seen to prevent, on Apache Kafka: `noack` with acknowledgements of our own,
futures of our own, one life for one assignment, and a start that is worked out from the rows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, Final

import faust
from aiokafka.errors import KafkaError
from faust.types import TP
from kafka.errors import KafkaError as BrokerError

from services.contract.codec import encode
from services.contract.settings import Settings
from services.contract.topics import (
    ARTICLES,
    EDITIONS,
    GROUPER,
    LARGEST_INTERNAL,
    REJECTED,
    REVISIONS,
    story_partition,
    topic_name,
)
from services.core.grouping.state import Window
from services.grouper.committed import read_committed
from services.grouper.edition import Edition, Work, broker_time, heads
from services.grouper.endings import has_room, no_room, verdict
from services.grouper.gaps import Gaps
from services.grouper.pipe import Pipe
from services.grouper.recovery import PIPELINE, plan
from services.grouper.table import OPTIONS, RowTable
from services.runtime import metrics
from services.runtime.clients import tls
from services.runtime.health import Health
from services.runtime.lifecycle import Again, Exit, end
from services.runtime.logs import logger
from services.runtime.memory import collect_seldom

log = logger(__name__)

Skips = dict[int, dict[int, str]]
"""By edition and offset, why a record is skipped."""

COMMIT_EVERY: Final = 0.5
SESSION: Final = 10.0
"""Seconds without a heartbeat after which the broker gives the partitions away; Faust's own default is 60."""
WATCH_EVERY: Final = 1.0
OPENING: Final = 0.05
"""Seconds between two looks whether Faust has opened its flow."""
STALLED: Final = 120.0
"""Seconds with records to read and none read or acknowledged, after which the process ends: Faust's fetcher can die unseen."""
SEND_WITHIN: Final = 30.0
"""Seconds until a send that the broker does not acknowledge fails; Faust's own default is 20 minutes."""


class Grouper:
    """The application and its editions. One life, one assignment: whatever ends that ends the process."""

    def __init__(self, settings: Settings, health: Health, skips: Skips | None = None) -> None:
        self._settings = settings
        self._folder = table_folder(settings)
        self._health = health
        self._skips = skips or {}
        self._editions: dict[int, Edition] = {}
        self._generation: int | None = None
        self._pipe: Pipe | None = None
        self._next: dict[int, int] = {}
        """By edition, the offset that the next record should have."""
        self._gaps = Gaps(settings)
        self._reading: asyncio.Task[None] | None = None
        self._progress: tuple[Any, float] = (None, time.monotonic())
        self.app = make_app(settings)
        read_committed(self.app, topic_name(ARTICLES, settings.topic_prefix))
        self._articles = self.app.topic(
            topic_name(ARTICLES, settings.topic_prefix), key_type=bytes, value_type=bytes, partitions=EDITIONS
        )
        self._revisions = self.app.topic(
            topic_name(REVISIONS, settings.topic_prefix),
            key_type=bytes,
            value_type=bytes,
            partitions=REVISIONS.partitions,
        )
        self._rejected = self.app.topic(
            topic_name(REJECTED, settings.topic_prefix),
            key_type=bytes,
            value_type=bytes,
            partitions=REJECTED.partitions,
        )
        self.rows = RowTable(
            self.app, name="rows", partitions=EDITIONS, key_type=bytes, value_type=bytes, options=dict(OPTIONS)
        )
        self.app.tables.add(self.rows)
        self.rows.on_recover(self._recovered)
        self.agent = self.app.agent(self._articles, concurrency=1)(self.group)
        self.app.on_partitions_revoked.connect(self._revoked, weak=False)  # type: ignore[arg-type]  # it is called by name
        self.app.task(self._watch)

    # -- the stream ----------------------------------------------------------------------------------------------------

    async def group(self, stream: faust.StreamT[bytes]) -> None:
        """Decide every article, in the order of the log."""
        self._pipe = Pipe(PIPELINE, self._send_failed)
        events: Any = stream.noack()  # type: ignore[attr-defined]  # in Stream, not in its protocol
        async for event in events.events():
            try:
                sent = await self._take(event)
            except (Again, BrokerError) as error:
                end(Exit.AGAIN, str(error) or repr(error))
            except Exception as error:
                where = f"{event.message.partition}:{event.message.offset}"
                log.exception("this record was not decided", record=where)
                end(*verdict(error, self._folder, where))
            await self._pipe.put(event.ack, sent)
            await asyncio.sleep(0)  # a full buffer would never let go of the loop, and commits would wait for its end

    async def _take(self, event: faust.EventT[bytes]) -> list[Awaitable[Any]]:
        message = event.message
        if message.generation_id != self._generation:
            end(Exit.AGAIN, f"a record of generation {message.generation_id} in the life of {self._generation}")
        tp = TP(message.topic, message.partition)
        await self._miss_nothing(tp, message.offset)
        consumer: Any = self.app.consumer
        started = time.perf_counter()
        work = self._edition(message.partition).take(
            event.value, offset=message.offset, at=broker_time(message.timestamp),
            committed=consumer._committed_offset.get(tp),  # noqa: SLF001  # what Faust has committed is told nowhere else
        )  # fmt: skip
        metrics.DECISION_SECONDS.observe(time.perf_counter() - started)
        return await self._send(message.partition, work)

    async def _miss_nothing(self, tp: TP, offset: int) -> None:
        """End the process where a record was left out before this one: nothing after it is acknowledged, so it comes again.

        Faust does it where it empties its queues (see `_recovered`), and says nothing.
        """
        expected = self._next.get(tp.partition, offset)
        self._next[tp.partition] = max(expected, offset + 1)
        if offset <= expected:
            return
        missed = await asyncio.to_thread(self._gaps.first_record, tp.topic, tp.partition, expected, offset)
        if missed is not None:
            end(Exit.AGAIN, f"record {tp.partition}:{missed} never came, {tp.partition}:{offset} did")

    async def _send(self, partition: int, work: Work) -> list[Awaitable[Any]]:
        """Tombstones before the row, so that the changelog ends in a live row; the row before what follows from it."""
        sent: list[Awaitable[Any]] = [self.rows.drop(partition, key) for key in work.tombstones]
        if work.key is not None and work.row is not None:
            write = self.rows.send_again if work.again else self.rows.put
            sent.append(write(partition, work.key, work.row))
        for revision in work.revisions:
            story = revision.stamp.story
            sent.append(
                await self._revisions.send(key=story.encode(), value=encode(revision), partition=story_partition(story))
            )
        if work.rejection is not None:
            source = (work.rejection.source or "").encode()
            sent.append(await self._rejected.send(key=source, value=encode(work.rejection)))
        return sent

    def _edition(self, number: int) -> Edition:
        if number not in self._editions:
            window = Window(articles=self._settings.window_articles, age=self._settings.window_days)
            self._editions[number] = Edition(
                number, self.rows.of(number), window=window, limits=self._settings.limits,
                skips=self._skips.get(number),
            )  # fmt: skip
        return self._editions[number]

    # -- a life: one assignment ----------------------------------------------------------------------------------------

    async def _recovered(self) -> None:
        """The table is recovered and nothing is read yet. Faust swallows what is raised here, so nothing may be."""
        try:
            if self._generation is not None:
                end(Exit.AGAIN, "a second recovery in one life")
            self._generation = self.app.consumer_generation_id
            assigned: set[TP] = self.app.assignor.assigned_actives()
            topic = topic_name(ARTICLES, self._settings.topic_prefix)
            mine = sorted(tp for tp in assigned if tp.topic == topic)
            for tp in mine:
                await self._begin(tp)
            collect_seldom()
            self._reading = asyncio.create_task(self._read(mine))
        except BaseException as error:
            log.exception("recovery failed")
            code, why = verdict(error, self._folder)
            end(Exit.AGAIN if isinstance(error, KafkaError) else code, f"the table cannot be recovered: {why}")

    async def _read(self, mine: Sequence[TP]) -> None:
        """Read the log, once Faust has ended its recovery and its flow is open: until then it drops what it reads."""
        consumer: Any = self.app.consumer
        recovery: Any = self.app.tables.recovery  # type: ignore[attr-defined]  # in the class, not in its protocol
        try:
            while self.app.rebalancing or not recovery.completed.is_set():  # noqa: ASYNC110  # Faust tells nobody
                await asyncio.sleep(OPENING)
            await consumer.read_from({tp: self._next[tp.partition] for tp in mine})
        except Exception as error:
            log.exception("the log cannot be read")
            end(Exit.AGAIN if isinstance(error, KafkaError) else Exit.BUG, f"the log cannot be read: {error!r}")
        self._health.ready()
        log.info("ready", editions=len(self._editions), generation=self._generation)

    async def _begin(self, tp: TP) -> None:
        found = heads(self.rows.of(tp.partition).values())
        committed = await self._ask("committed", tp)
        log_start = (await self._ask("beginning_offsets", [tp]))[tp]
        self._next[tp.partition] = max(committed or 0, log_start)
        if not found and committed is None:
            return
        written = (await self._ask("end_offsets", [self.rows.changelog_of(tp.partition)])).popitem()[1]
        way = plan(found, committed, log_start, ever_written=bool(written))
        if way.begin is not None:
            log.warning("reading the log again", edition=tp.partition, offset=way.begin, why=way.why)
            consumer: Any = self.app.consumer
            if not await consumer._commit({tp: way.begin}):  # noqa: SLF001  # Faust seeks to the committed offset next
                end(Exit.AGAIN, f"offset {way.begin} of {tp.topic} {tp.partition} could not be committed")
            self._next[tp.partition] = way.begin
        edition = self._edition(tp.partition)

        def progress(done: int, of: int) -> None:
            metrics.RECOVERED.labels(tp.partition).set(done)
            self._health.beat()
            log.info("folding rows", edition=tp.partition, done=done, of=of)

        edition.recover(way, progress)
        metrics.RECOVERED.labels(tp.partition).set(len(way.fold))
        log.info(
            "recovered", edition=tp.partition, rows=len(found), folded=len(way.fold), committed=committed,
            stories=len(edition.state.stories), expired=len(way.expired),
        )  # fmt: skip

    async def _ask(self, method: str, argument: Any) -> Any:
        """Ask the consumer in its own thread."""
        consumer: Any = self.app.consumer
        thread = consumer._thread  # noqa: SLF001  # Faust's own `committed` answers from its memory
        return await thread.call_thread(getattr(thread._ensure_consumer(), method), argument)  # noqa: SLF001

    async def _revoked(self, _sender: object, revoked: set[TP], **_: Any) -> None:
        if revoked and self._generation is not None and not self.app.should_stop:
            end(Exit.AGAIN, f"another instance took over: {len(revoked)} partitions revoked")

    def _send_failed(self, error: BaseException) -> None:
        log.error("a send failed", error=repr(error))
        end(Exit.AGAIN if isinstance(error, KafkaError) else Exit.BUG, f"the broker did not take a record: {error!r}")

    async def _watch(self) -> None:
        """The heart of /healthz, the lag, and an end to a life that has silently stopped."""
        while not self.app.should_stop:
            self._health.beat()
            if not has_room(self._folder):
                end(Exit.AGAIN, no_room(self._folder))
            if self._generation is not None:
                await self._look()
            await asyncio.sleep(WATCH_EVERY)

    async def _look(self) -> None:
        topic = topic_name(ARTICLES, self._settings.topic_prefix)
        consumer: Any = self.app.consumer
        behind, places = 0, []
        for tp in sorted(tp for tp in consumer.assignment() if tp.topic == topic):
            end_offset, place = self._readable_end(tp), await consumer.position(tp)
            if end_offset is None or place is None:
                continue
            places.append(place)
            behind += max(0, end_offset - place)
            if tp.partition in self._editions:
                done = consumer._committed_offset.get(tp) or place  # noqa: SLF001
                lag = 0 if place >= end_offset and self._idle else max(0, end_offset - done)
                metrics.LAG.labels(ARTICLES.name, tp.partition).set(lag)  # a marker at the end is never acknowledged
        now, progress = time.monotonic(), (places, self._pipe.acknowledged if self._pipe else 0)
        still = now - self._progress[1]
        if progress != self._progress[0] or not behind:
            self._progress = (progress, now)
            self._health.well()
        elif still > STALLED:
            end(
                Exit.AGAIN,
                f"{behind} records to read and none read or acknowledged for {STALLED:.0f} s: Faust reads no more",
            )
        elif still > STALLED / 2:
            self._health.unwell(f"{behind} records to read and none read or acknowledged for {still:.0f} s")

    @property
    def _idle(self) -> bool:
        """Whether all that was read is acknowledged."""
        return self._pipe is None or self._pipe.taken == self._pipe.acknowledged

    def _readable_end(self, tp: TP) -> int | None:
        """Where the committed records end, as the last fetch told: what lies behind somebody's open transaction has to wait."""
        consumer: Any = self.app.consumer
        end_offset: int | None = consumer.highwater(tp)
        stable: int | None = consumer._thread._ensure_consumer().last_stable_offset(tp)  # noqa: SLF001  # Faust does not ask
        return end_offset if end_offset is None or stable is None or stable < 0 else min(end_offset, stable)


def table_folder(settings: Settings) -> Path:
    """Where the table's files are."""
    return Path(settings.state_folder) / f"{settings.topic_prefix}{GROUPER}"


def make_app(settings: Settings) -> faust.App:
    """The Faust application with the settings that matter, each against a default that has bitten."""
    folder = table_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)  # Faust does not make the parents
    return faust.App(
        f"{settings.topic_prefix}{GROUPER}",
        broker=[f"kafka://{address}" for address in settings.kafka_bootstrap.split(",")],
        broker_credentials=_credentials(settings),
        store="rocksdb://",
        datadir=folder,
        key_serializer="raw",
        value_serializer="raw",
        web_enabled=False,
        topic_allow_declare=False,  # `topics create` has made them all
        topic_disable_leader=True,
        processing_guarantee="at_least_once",
        consumer_group_instance_id=f"{settings.topic_prefix}{GROUPER}-{settings.instance}",
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=4 * LARGEST_INTERNAL,
        broker_session_timeout=SESSION,
        broker_heartbeat_interval=SESSION / 5,
        broker_request_timeout=40.0,
        broker_commit_interval=COMMIT_EVERY,
        stream_buffer_maxsize=512,
        stream_wait_empty=False,
        stream_recovery_delay=0.0,
        producer_request_timeout=SEND_WITHIN,
        producer_linger=0.002,
        producer_max_batch_size=256 * 1024,
        producer_max_request_size=LARGEST_INTERNAL + 4096,
        producer_compression_type="lz4",
        agent_supervisor="mode.supervisors.CrashingSupervisor",  # the default one commits past a bug
        table_standby_replicas=0,
    )


def _credentials(settings: Settings) -> Any:
    secure = tls(settings) if settings.kafka_security.endswith("SSL") else None
    if settings.kafka_security.startswith("SASL"):
        return faust.SASLCredentials(
            username=settings.kafka_username, password=settings.kafka_password, ssl_context=secure,
            mechanism=settings.kafka_mechanism,
        )  # fmt: skip
    return faust.SSLCredentials(secure) if secure else None
