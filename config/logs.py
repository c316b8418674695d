"""Logs that tell what happened and nothing that is secret.

A line is an event and a few plain facts: ids, counts, routes, seconds. Never in a line: orders,
nonces, seeds, names of hidden things, links that open something. So a request is named by its
route, an exception by its class and its frames without its text, and of other people's log calls
only the sentence is kept, without what they fill in.
"""

from __future__ import annotations

import logging.config
import sys
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog

OWN_LOGGERS = ("campaign", "umpire", "engine", "jobs", "config")
WITHHELD = "(withheld)"
# facts under these names are never written
WAR_SECRETS = frozenset(
    {
        "body",
        "digest",
        "happenings",
        "nonce",
        "orders",
        "payload",
        "report",
        "seed",
        "view",
        "world",
    }
)
SITE_SECRETS = frozenset({"code", "id_secret", "key", "password", "path", "secret", "token", "url"})
# loggers that say too much or too little, and the least level of theirs that is kept
LEVELS = {
    "django.db.backends": "WARNING",  # below it: statements with what they store
    # Below it: every 404; the request's own line tells it without the address
    "django.request": "ERROR",
    "django.security": "ERROR",
    "django.server": "ERROR",
    "apprise": "CRITICAL",  # its warnings hold addresses with keys
    "urllib3": "CRITICAL",
    "requests": "CRITICAL",
    "axes": "ERROR",
    "celery": "WARNING",
    "kombu": "WARNING",
    "amqp": "WARNING",
    "waitress": "ERROR",
    "waitress.queue": "ERROR",  # below it: a line whenever all threads are busy
}
Event = MutableMapping[str, Any]


def configure(settings: dict[str, Any]) -> None:
    """Set up logging. `settings`: {format: text or json, level: of our own loggers}."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": [*shared, sentence_only],
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        exceptions_without_text,
                        withhold,
                        renderer(settings["format"]),
                    ],
                    "pass_foreign_args": True,
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": "WARNING"},
            "loggers": {
                **{name: {"level": settings["level"]} for name in OWN_LOGGERS},
                **{name: {"level": level} for name, level in LEVELS.items()},
                "django": {"handlers": [], "level": "WARNING", "propagate": True},
            },
        }
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def renderer(name: str) -> Any:
    """Lines for people (text) or for machines (json)."""
    if name == "json":
        return structlog.processors.JSONRenderer(sort_keys=True)
    return structlog.processors.LogfmtRenderer(
        key_order=["timestamp", "level", "event"], drop_missing=True
    )


def sentence_only(_logger: Any, _method: str, event: Event) -> Event:
    """Of another package's call keep the sentence, not what is filled in."""
    record: logging.LogRecord = event["_record"]
    event["event"] = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    task = getattr(record, "data", None)
    if isinstance(task, dict) and "name" in task:
        event["task"] = task["name"]
    event.pop("positional_args", None)
    return event


def exceptions_without_text(_logger: Any, _method: str, event: Event) -> Event:
    """Name an exception by its class, its causes' classes, and the frames it came through."""
    exc_info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event["error"] = " from ".join(type(cause).__name__ for cause in causes(error))
        event["frames"] = frames(error.__traceback__)
    return event


def withhold(_logger: Any, _method: str, event: Event) -> Event:
    """The last guard: a fact under a telling name is not written, whatever it is."""
    for name in (WAR_SECRETS | SITE_SECRETS) & event.keys():
        event[name] = WITHHELD
    return event


def causes(error: BaseException) -> list[BaseException]:
    """An exception and what it came from, the last first."""
    chain = [error]
    while (
        cause := chain[-1].__cause__ or chain[-1].__context__
    ) is not None and cause not in chain:
        chain.append(cause)
    return chain


def frames(trace: TracebackType | None) -> str:
    """The frames an exception came through, innermost last: file:line function."""
    steps = traceback.extract_tb(trace)
    return " > ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in steps)
