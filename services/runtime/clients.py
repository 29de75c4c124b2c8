"""Kafka clients from the settings, the wait for the broker, and what of Kafka's errors an operator can mend."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.errors import AuthorizationError, KafkaError, SaslAuthenticationFailedError, UnsupportedSaslMechanismError

from services.contract.settings import Settings
from services.contract.topics import LARGEST_INTERNAL
from services.core.errors import WritethruError
from services.runtime.health import Health
from services.runtime.lifecycle import Stop
from services.runtime.logs import logger

log = logger(__name__)

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 5.0
ONE_TRY_MS: Final = 3_000
"""Seconds between two looks for a broker that does not answer; the pause doubles up to the longest. One look takes
at most `ONE_TRY_MS`, and so does a SIGTERM that comes meanwhile."""


REFUSED: Final = (
    SaslAuthenticationFailedError, UnsupportedSaslMechanismError, AuthorizationError, ssl.SSLCertVerificationError,
)  # fmt: skip
"""What a person has to mend: credentials, a mechanism, rights, a certificate."""


class NotAllowed(WritethruError):
    """The broker refuses our credentials or certificate; waiting does not help."""


@contextmanager
def _refusals() -> Iterator[list[BaseException]]:
    """Collects the refusals that kafka-python meets within: its search for a broker tells them to its log alone, and goes on."""
    found: list[BaseException] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            arguments = record.args if isinstance(record.args, tuple) else ()
            found.extend(one for one in arguments if isinstance(one, REFUSED))

    listener, its_log = Listener(logging.WARNING), logging.getLogger("kafka.net.manager")
    level, heard = its_log.level, its_log.isEnabledFor(logging.WARNING)
    its_log.addHandler(listener)
    if not heard:  # as always but with DEBUG: for us alone, then
        its_log.setLevel(logging.WARNING)
        its_log.propagate = False
    try:
        yield found
    finally:
        its_log.removeHandler(listener)
        its_log.setLevel(level)
        its_log.propagate = True


def options(settings: Settings) -> dict[str, Any]:
    """What every kafka-python client is given."""
    shared: dict[str, Any] = {
        "bootstrap_servers": settings.kafka_bootstrap.split(","),
        "security_protocol": settings.kafka_security,
    }
    if settings.kafka_security.startswith("SASL"):
        shared |= {
            "sasl_mechanism": settings.kafka_mechanism,
            "sasl_plain_username": settings.kafka_username,
            "sasl_plain_password": settings.kafka_password,
        }
    if settings.kafka_security.endswith("SSL"):
        shared["ssl_context"] = tls(settings)
    return shared


def tls(settings: Settings) -> ssl.SSLContext:
    """The TLS context: the system's authorities unless a file names others; host names are checked."""
    context = ssl.create_default_context(cafile=settings.kafka_ca_file)
    if settings.kafka_cert_file is not None:
        context.load_cert_chain(settings.kafka_cert_file, settings.kafka_key_file)
    return context


def producer(settings: Settings, client: str, **more: Any) -> KafkaProducer:
    """An idempotent producer: acknowledged by all in-sync replicas, in order, without doubles."""
    given = {
        "client_id": client, "acks": "all", "enable_idempotence": True, "compression_type": "lz4", "linger_ms": 5,
        "batch_size": 256 * 1024, "max_request_size": LARGEST_INTERNAL + 4096, "delivery_timeout_ms": 600_000,
        "max_block_ms": 600_000, "allow_auto_create_topics": False,
    }  # fmt: skip
    return KafkaProducer(**{**options(settings), **given, **more})


def consumer(settings: Settings, client: str, **more: Any) -> KafkaConsumer:
    """A consumer that sees committed records only, from the beginning, and commits nothing by itself."""
    given = {
        "client_id": client, "isolation_level": "read_committed", "auto_offset_reset": "earliest",
        "enable_auto_commit": False, "allow_auto_create_topics": False, "max_partition_fetch_bytes": 4 * LARGEST_INTERNAL,
    }  # fmt: skip
    return KafkaConsumer(**{**options(settings), **given, **more})


def admin(settings: Settings, client: str = "writethru", **more: Any) -> KafkaAdminClient:
    return KafkaAdminClient(**{**options(settings), "client_id": client, **more})


def wait_for_broker(settings: Settings, stop: Stop, health: Health | None = None) -> bool:
    """Come back when a broker answers: True; False if the process is told to stop first.

    Raises NotAllowed where the broker answers and refuses us.
    """
    pause = FIRST_PAUSE
    while not stop.asked:
        try:
            with _refusals() as refused:
                admin(settings, bootstrap_timeout_ms=ONE_TRY_MS).close()
        except REFUSED as error:
            raise NotAllowed(f"kafka at {settings.kafka_bootstrap} refuses us: {error}") from error
        except (KafkaError, OSError) as error:
            if refused:
                raise NotAllowed(f"kafka at {settings.kafka_bootstrap} refuses us: {refused[0]}") from error
            why = f"kafka at {settings.kafka_bootstrap}"
            log.warning("waiting for the broker", bootstrap=settings.kafka_bootstrap, error=str(error) or repr(error))
            if health is not None:
                health.waits(why)
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        else:
            return True
    return False
