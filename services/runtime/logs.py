"""Logging of the services: one JSON line per record on stderr, the libraries' records too."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
_QUIET = {
    "kafka": logging.WARNING,
    "kafka.net": logging.CRITICAL,
    "aiokafka": logging.WARNING,
    "faust": logging.WARNING,
    "mode": logging.WARNING,
}
"""Libraries that tell more than an operator wants, unless DEBUG is asked for; kafka.net calls each retry an error."""


def configure(service: str, level: str = "INFO") -> None:
    """Send every record of the process to stderr as a JSON line that names `service`."""

    def name_service(_logger: Any, _method: str, record: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        record["service"] = service  # no context variable: the clients' threads log too
        return record

    shared = [name_service, *_SHARED]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
    handler = logging.StreamHandler(sys.__stderr__)  # Faust puts its own in place of sys.stderr
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name, least in _QUIET.items():
        logging.getLogger(name).setLevel(logging.DEBUG if level == "DEBUG" else least)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logger(name: str) -> Any:
    """The logger of one module; its records carry keyword arguments as fields."""
    return structlog.stdlib.get_logger(name)
