"""The stored login: a file with the site's address and the token that only its owner can read.

BLINDJUMP_CONFIG names another folder. BLINDJUMP_URL and BLINDJUMP_TOKEN together replace the file.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from blindjump.errors import NotLoggedIn, UsageError

NAME = "login.json"
OTHER_USERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Login:
    """A login at a site; `repr` hides the token.

    `is_own_token` is true if this program created the token with a password.
    """

    address: str
    token: str = field(repr=False)
    is_own_token: bool = False


def folder_of(environment: Mapping[str, str]) -> Path:
    """Return the folder of stored files."""
    if folder := environment.get("BLINDJUMP_CONFIG"):
        return Path(folder)
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "blindjump"


def login_read(environment: Mapping[str, str]) -> Login:
    """Return the login from the environment or the file.

    Raises:
        NotLoggedIn: If there is none.
        UsageError: If others can read the file, or it is damaged.
    """
    address = environment.get("BLINDJUMP_URL", "")
    token = environment.get("BLINDJUMP_TOKEN", "")
    if address and token:
        return Login(address.rstrip("/"), token)
    return login_stored(environment)


def login_stored(environment: Mapping[str, str]) -> Login:
    """Return the login of the file; raises the same errors as `login_read`."""
    path = folder_of(environment) / NAME
    try:
        with path.open(encoding="utf-8") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & OTHER_USERS:
                raise UsageError(
                    f"other users can read your token in {path}: run `chmod 600 {path}`"
                )
            stored = json.load(file)
        return Login(str(stored["address"]), str(stored["token"]), stored.get("made") is True)
    except FileNotFoundError as error:
        raise NotLoggedIn("you are not logged in: run `blindjump login ADDRESS`") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} cannot be read; log in again") from error


def login_keep(environment: Mapping[str, str], login: Login) -> Path:
    """Store a login in place of an earlier one, and return the file's path.

    The file is readable only by its owner from the moment it exists.
    """
    folder = folder_of(environment)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / NAME
    new = folder / f"{NAME}.{os.getpid()}"
    with os.fdopen(
        os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        json.dump(
            {"address": login.address, "token": login.token, "made": login.is_own_token}, file
        )
    new.replace(path)
    return path


def login_forget(environment: Mapping[str, str]) -> bool:
    """Delete the stored login; return whether there was one."""
    path = folder_of(environment) / NAME
    existed = path.exists()
    path.unlink(missing_ok=True)
    return existed
