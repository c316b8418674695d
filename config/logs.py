"""Logging that records what happened without secrets.

A line is an event with a few plain facts: ids, counts, routes, seconds. It never contains orders,
nonces, seeds, names of hidden things, or links that grant access. So a request is named by its
route, an exception by its class and frames without its text, and log calls of other packages keep
only the message template, without its arguments.
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
# Facts with these names are never logged.
WAR_SECRETS = frozenset(
    {
        "body",
        "digest",
        "week_events",
        "nonce",
        "orders",
        "payload",
        "report",
        "seed",
        "share",
        "view",
        "world",
    }
)
SITE_SECRETS = frozenset({"code", "id_secret", "key", "password", "path", "secret", "token", "url"})
# Loggers that log too much or too little, and the lowest level that is kept.
LEVELS = {
    "django.db.backends": "WARNING",  # lower levels log statements with their values
    # Lower levels log every 404; the request line has it without the address.
    "django.request": "ERROR",
    "django.security": "ERROR",
    "django.server": "ERROR",
    "apprise": "CRITICAL",  # its warnings contain addresses with keys
    "urllib3": "CRITICAL",
    "requests": "CRITICAL",
    "axes": "ERROR",
    "celery": "WARNING",
    "kombu": "WARNING",
    "amqp": "WARNING",
    "waitress": "ERROR",
    "waitress.queue": "ERROR",  # lower levels log a line whenever all threads are busy
}
Event = MutableMapping[str, Any]


def configure(settings: dict[str, Any]) -> None:
    """Set up logging.

    Args:
        settings: "format" ("text" or "json") and "level" (the level of the site's own loggers).
    """
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
    """Return the renderer for people ("text") or machines ("json")."""
    if name == "json":
        return structlog.processors.JSONRenderer(sort_keys=True)
    return structlog.processors.LogfmtRenderer(
        key_order=["timestamp", "level", "event"], drop_missing=True
    )


def sentence_only(_logger: Any, _method: str, event: Event) -> Event:
    """Keep only the message template of another package's log call."""
    record: logging.LogRecord = event["_record"]
    if isinstance(record.msg, str):
        event["event"] = record.msg
    else:
        event["event"] = type(record.msg).__name__
    task = getattr(record, "data", None)
    if isinstance(task, dict) and "name" in task:
        event["task"] = task["name"]
    event.pop("positional_args", None)
    return event


def exceptions_without_text(_logger: Any, _method: str, event: Event) -> Event:
    """Replace an exception with its class, the classes of its causes, and its frames."""
    exc_info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if isinstance(exc_info, tuple):
        error = exc_info[1]
    else:
        error = exc_info
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event["error"] = " from ".join(type(cause).__name__ for cause in causes(error))
        event["frames"] = frames(error.__traceback__)
    return event


def withhold(_logger: Any, _method: str, event: Event) -> Event:
    """Replace every fact that has a secret's name, as a last safeguard."""
    for name in (WAR_SECRETS | SITE_SECRETS) & event.keys():
        event[name] = WITHHELD
    return event


def causes(error: BaseException) -> list[BaseException]:
    """Return an exception and its causes, the exception first."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    return chain


def frames(trace: TracebackType | None) -> str:
    """Return the frames of an exception, innermost last, as "file:line function"."""
    steps = traceback.extract_tb(trace)
    return " > ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in steps)
