"""`writethru run alerter`: the rules in the main thread, the courier in one beside it; either's end is the process's."""

from __future__ import annotations

import os
import threading
from contextlib import closing
from pathlib import Path

from kafka.errors import KafkaError

from services.alerter.channels import Channels
from services.alerter.courier import Courier
from services.alerter.rules_loop import RulesLoop
from services.contract.rules import Rules, default_rules, read_rules
from services.contract.settings import Settings
from services.contract.topics import (
    ALERT_COMMANDS,
    ALERT_STATE,
    ALERTS,
    DEAD,
    DELIVERIES,
    ENDPOINTS,
    EVENTS,
    RETRIES,
    RULINGS,
)
from services.runtime.health import DEAD_AFTER, Health
from services.runtime.lifecycle import Again, Exit, Stop, end
from services.runtime.logs import logger
from services.runtime.memory import collect_seldom
from services.runtime.topic_admin import wait_for_topics

log = logger(__name__)

TOPICS = (EVENTS, ALERTS, RULINGS, ALERT_STATE, ALERT_COMMANDS, DELIVERIES, *RETRIES, DEAD, ENDPOINTS)
"""What an alerter cannot be without; others may still be missing."""

_STILL = 30.0
"""Seconds that the courier may be silent before the health probe is told: its client can wait for a broker without end."""


def load(file: Path | None) -> Rules:
    """The rules of a file, or those that ship. Raises BadRules, OSError."""
    data, name = (file.read_bytes(), str(file)) if file is not None else default_rules()
    return read_rules(data, name, os.environ)


def run(settings: Settings, health: Health, stop: Stop, rules: Rules) -> None:
    """Alert until told to stop. Raises Again, BrokenLog, WrongTopics, NotAllowed."""
    if not wait_for_topics(settings, stop, health, TOPICS):
        return
    collect_seldom()
    channels = Channels(rules.channels, rules.smtp, os.environ)
    try:
        health.beat()
        with (
            health.guard(stop, lambda why: end(Exit.AGAIN, why)),
            closing(Courier(settings, channels, health, stop)) as courier,
            closing(RulesLoop(settings, rules, health, stop)) as loop,
        ):
            thread = threading.Thread(target=_deliver, args=(courier, stop), name="courier", daemon=True)
            thread.start()
            threading.Thread(target=_watch, args=(courier, thread), name="courier-guard", daemon=True).start()
            try:
                loop.work()
            finally:
                stop.ask()
                while thread.is_alive():
                    if courier.silent_for < _STILL:
                        health.beat()
                    thread.join(timeout=1.0)
    except KafkaError as error:
        raise Again(f"kafka: {error!r}") from error


def _watch(courier: Courier, thread: threading.Thread) -> None:
    """End the process when the courier stands still: the guard around the rules sees only those."""
    while thread.is_alive():
        if courier.silent_for > DEAD_AFTER:
            end(Exit.AGAIN, f"courier: nothing moved for {courier.silent_for:.0f} s")
        thread.join(timeout=1.0)


def _deliver(courier: Courier, stop: Stop) -> None:
    """The courier's life: what ends it ends the process, because alerts that nobody delivers are none."""
    try:
        courier.work()
    except KafkaError as error:
        end(Exit.AGAIN, f"courier: kafka: {error!r}")
    except Exception as error:  # a bug ends the process, whichever thread it is in
        log.exception("courier: a bug")
        end(Exit.BUG, f"courier: {error!r}")
    if not stop.asked:
        end(Exit.BUG, "courier: ended by itself")
