"""Notifications in browsers: Web Push (RFC 8030, 8291, 8292), with pywebpush.

A browser receives a user's notifications until the user logs out there, another user logs in there,
or the user's password changes. It stays registered if the password is changed in it, or the user
logs in there with the new password (decision 105).

Messages are encrypted for the browser: the push service sees only that a message is sent, and when.
Messages go only to services named in the settings (`campaign.services.destinations`).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import NotFound
from campaign.models.account import PushDevice
from campaign.services.answers import ACCEPTED, REFUSED, DeliveryResult, requested_pause
from campaign.services.destinations import push_address
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

MAX_DEVICES = 10  # per user; the oldest are removed
POINT_LENGTH = 65  # bytes of a browser's public key `p256dh`, an uncompressed point (RFC 8291)
AUTH_LENGTH = 16  # bytes of a browser's secret `auth` (RFC 8291)
LONGEST_KEY = 100  # characters of a key in base64url; longer ones are not decoded
# Number of points of the curve P-256
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
PATIENCE = 10.0  # seconds to wait for a push service
TIME_TO_LIVE = 24 * 60 * 60  # seconds a push service keeps a message for a browser that is off
GONE_STATUSES = (404, 410)
# pywebpush's own check refuses https addresses with a port and raises its own errors.
VAPID_OPTIONS = {"no-strict": True}
TITLE = phrase("Blind Jump")


@transaction.atomic
def push_add(*, user: AbstractBaseUser, endpoint: str, p256dh: str, auth: str) -> PushDevice:
    """Register a browser for a user's notifications; it is removed from any other user.

    Raises:
        RuleViolations: The endpoint or its keys are not valid.
    """
    keys = _device_columns(user, endpoint, p256dh, auth)
    values = {**keys, "user_id": user.pk, "created_at": timezone.now()}
    device, _ = PushDevice.objects.update_or_create(
        endpoint_sha256=endpoint_key(endpoint), defaults=values
    )
    PushDevice.objects.filter(user_id=user.pk).exclude(
        password_sha256=_password_hash(user)
    ).delete()
    newest = (
        PushDevice.objects.filter(user_id=user.pk)
        .order_by("-created_at", "-pk")
        .values_list("pk", flat=True)
    )
    PushDevice.objects.filter(pk__in=list(newest[MAX_DEVICES:])).delete()
    return device


@transaction.atomic
def push_replace(
    *, user: AbstractBaseUser, before: str, endpoint: str, p256dh: str, auth: str
) -> PushDevice:
    """Replace the endpoint of a user's browser.

    Args:
        before: Hash of the old endpoint.

    Raises:
        RuleViolations: The endpoint or its keys are not valid.
        NotFound: The old endpoint is not the user's, or the new one is already registered.
    """
    keys = _device_columns(user, endpoint, p256dh, auth)
    sha256 = endpoint_key(endpoint)
    own_devices = PushDevice.objects.select_for_update().filter(
        user_id=user.pk, password_sha256=_password_hash(user)
    )
    device = own_devices.filter(endpoint_sha256=before).first()
    others = PushDevice.objects.filter(endpoint_sha256=sha256)
    if device is None or others.exclude(pk=device.pk).exists():
        raise NotFound(phrase("notifications are off in this browser"))
    PushDevice.objects.filter(pk=device.pk).update(endpoint_sha256=sha256, **keys)
    device.refresh_from_db()
    return device


def push_renew_or_remove(*, user: AbstractBaseUser, sha256: str) -> bool:
    """Keep or remove a browser's registration after a user has entered their password there.

    The user's own registration is renewed, that of another user is deleted.

    Returns:
        Whether the browser is registered for the user.
    """
    devices = PushDevice.objects.filter(endpoint_sha256=sha256)
    updated = devices.filter(user_id=user.pk).update(password_sha256=_password_hash(user))
    if not updated:
        devices.delete()
    return bool(updated)


def push_forget(*, user: AbstractBaseUser, sha256: str) -> None:
    """Remove a browser of the user, by the hash of its endpoint."""
    PushDevice.objects.filter(user_id=user.pk, endpoint_sha256=sha256).delete()


def devices_of(*, user: AbstractBaseUser) -> list[PushDevice]:
    """Return the browsers registered with the current password, oldest first.

    Browsers whose push service is no longer allowed are left out.
    """
    devices = PushDevice.objects.filter(user_id=user.pk, password_sha256=_password_hash(user))
    result: list[PushDevice] = []
    for row in devices.order_by("created_at", "pk"):
        if push_address(row.endpoint):
            result.append(row)
    return result


def endpoint_key(endpoint: str) -> str:
    """Return the hash of a browser's endpoint, which identifies it."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def push_send(
    *, device: PushDevice, body: str, path: str, tag: str, now: datetime
) -> DeliveryResult:
    """Send a notification to a browser and return the service's answer.

    If the service says that the browser is gone, its row is deleted and the message counts as
    accepted.

    Args:
        tag: Identifies the notification in the browser: it shows one notification per tag.
    """
    from py_vapid import Vapid02  # imported here, so that the site starts without it
    from pywebpush import WebPushException, webpush
    from requests import RequestException

    from campaign.services.outside_http import OutsideSession

    address = push_address(device.endpoint)
    if address is None:
        return REFUSED
    message = {"title": TITLE, "body": body, "path": path, "tag": tag}
    claims: dict[str, str | int] = {"sub": settings.PUSH_CONTACT}
    keys = {"p256dh": device.p256dh, "auth": device.auth}
    try:
        with OutsideSession() as session:
            webpush(
                {"endpoint": address, "keys": keys},
                json.dumps(message, ensure_ascii=False),
                vapid_private_key=Vapid02(_private_key(), VAPID_OPTIONS),
                vapid_claims=claims,
                timeout=PATIENCE,
                ttl=TIME_TO_LIVE,
                requests_session=session,
            )
    except WebPushException as error:
        if error.status_code not in GONE_STATUSES:
            return DeliveryResult(False, requested_pause(error.status_code, error.retry_after, now))
        PushDevice.objects.filter(pk=device.pk, endpoint=device.endpoint).delete()
    except RequestException:  # the service is unreachable: the row is tried again
        return REFUSED
    return ACCEPTED


def public_key() -> str:
    """Return the site's public key for subscriptions: an uncompressed point in base64url."""
    point = _private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def _private_key() -> ec.EllipticCurvePrivateKey:
    """Return the site's private key, which signs its requests to push services."""
    return _key_of(settings.PUSH_SECRET)


def _key_of(secret: str) -> ec.EllipticCurvePrivateKey:
    """Derive the private key from a secret text."""
    number = int.from_bytes(hashlib.sha512(f"web push {secret}".encode()).digest(), "big")
    return ec.derive_private_key(number % (P256_ORDER - 1) + 1, ec.SECP256R1())


def _device_columns(
    user: AbstractBaseUser, endpoint: str, p256dh: str, auth: str
) -> dict[str, str]:
    """Check a browser's endpoint and keys and return its columns. Raises RuleViolations."""
    address = push_address(endpoint)
    has_keys = _is_public_key(p256dh) and len(_decode_key(auth)) == AUTH_LENGTH
    if address is None or not has_keys:
        words = phrase("this browser uses a notification service that this site does not know")
        raise RuleViolations([Violation("endpoint", "unknown-service", words)])
    return {
        "endpoint": address,
        "p256dh": p256dh,
        "auth": auth,
        "password_sha256": _password_hash(user),
    }


def _password_hash(user: AbstractBaseUser) -> str:
    """Return a hash that changes with the password and does not reveal it."""
    return hashlib.sha256(f"push {user.password}".encode()).hexdigest()


def _is_public_key(text: str) -> bool:
    """Return whether a text is an uncompressed point of the curve P-256 in base64url."""
    point = _decode_key(text)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == POINT_LENGTH


def _decode_key(text: str) -> bytes:
    """Decode a key from base64url without padding; empty if it is not valid or too long."""
    if len(text) > LONGEST_KEY:
        return b""
    padding = b"=" * (-len(text) % 4)
    try:
        return base64.urlsafe_b64decode(text.encode("ascii") + padding)
    except (binascii.Error, UnicodeEncodeError):
        return b""
