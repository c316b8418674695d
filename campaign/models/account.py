"""What is kept of an account: what its user likes, hashes of his secrets, what he called and asked
for, his messages.

Secrets stand for a user where he cannot log in: the address of his calendar, and what his API token
may; only hashes are stored. A call of the API that names an Idempotency-Key gets the first one's
answer again. Messages are written with what they tell of, and sent later. Nothing of a war is in
what counts heavy use.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.constraints import one_of, sha_check

AUTO, LIGHT, DARK = "auto", "light", "dark"
THEMES = (AUTO, LIGHT, DARK)


class Preference(models.Model):
    """`zone`: an IANA time zone, empty: the site's.

    `language`: a code, empty: the browser's. `apprise_urls`: his own channels, as secret as
    passwords.

    `bot`: the account is a program's, as everybody in its wars is told. `messages`: he is told when
    one comes, too. `single_keys`: a single letter, figure or sign pressed on a page does something
    (WCAG 2.1.4). `guided`: the steps of guided wars that he has taken, by their ids.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preference"
    )
    zone = models.CharField(max_length=64, blank=True)
    email = models.BooleanField(default=True)
    apprise_urls = models.JSONField(default=list)
    theme = models.CharField(max_length=8, default=AUTO)
    language = models.CharField(max_length=8, blank=True)
    bot = models.BooleanField(default=False)
    messages = models.BooleanField(default=True)
    single_keys = models.BooleanField(default=True)
    guided = models.JSONField(default=list)

    class Meta:
        constraints = (one_of("preference", "theme", THEMES),)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"


class ApiToken(models.Model):
    """A token by which a program calls the API in its user's name.

    It ends with the password it was made under.

    `key`: the first 160 bits of the token's SHA-256; `name`: which program it is for, as its user
    calls it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    public_id = models.UUIDField(unique=True)
    key = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=60, blank=True)
    read_only = models.BooleanField()
    password_sha256 = models.CharField(max_length=64)  # of the stored hash of the password
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            sha_check("api_token", "password_sha256"),
            models.CheckConstraint(condition=Q(key__length=40), name="api_token_key_is_whole"),
        )

    def __str__(self) -> str:
        return f"token {self.name!r} of {self.user_id}"


class FeedToken(models.Model):
    """The one calendar address of a user; a new one replaces it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed_token"
    )
    sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("feed_token", "sha256"),)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"


class HeavyUse(models.Model):
    """The number of heavy acts an account has done in a minute.

    `minute`: since 1970; an older one counts no more.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="heavy_use"
    )
    minute = models.BigIntegerField()
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.count} in minute {self.minute}"


class IdempotentCall(models.Model):
    """One call.

    `status` and the response are empty while it is being answered. Old ones may be deleted.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotent_calls"
    )
    key = models.CharField(max_length=255)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=500)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, blank=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "key"), name="idempotent_call_once_a_key"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotent_call_has_a_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__gte=100, status__lte=599),
                name="idempotent_call_status_is_http",
            ),
            sha_check("idempotent_call", "request_sha256"),
        )

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class PushDevice(models.Model):
    """A browser that takes a user's notifications.

    `endpoint`: its address at its maker's push service; `p256dh`, `auth`: its keys, so that nobody
    on the way reads them. As secret as a password. It is told no more once the password has
    changed.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices"
    )
    endpoint = models.CharField(max_length=600)
    endpoint_sha256 = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    password_sha256 = models.CharField(max_length=64)  # of the stored hash of the password
    created_at = models.DateTimeField()

    class Meta:
        constraints = (sha_check("push_device", "endpoint_sha256", "password_sha256"),)

    def __str__(self) -> str:
        return f"device of {self.user_id}"


class DiscordAccount(models.Model):
    """The Discord account by which a user gives commands.

    `discord_id`: none until he has sent the code of the profile page, of which the hash is kept
    until `code_ends`.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="discord"
    )
    discord_id = models.CharField(max_length=32, null=True, unique=True)
    code_sha256 = models.CharField(max_length=64, null=True, unique=True)
    code_ends = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(code_sha256__isnull=True, code_ends__isnull=True)
                | Q(code_sha256__length=64, code_ends__isnull=False),
                name="discord_account_code_ends",
            ),
        )

    def __str__(self) -> str:
        return f"discord of {self.user_id}"


class Notification(models.Model):
    """One message to one user, or (no user) to the site's own channels.

    It is never written twice: `dedupe_key`.

    `body`: plain words that leak nothing. `path`: the page it is about. `done`: the channels that
    have it; `failed`: those that did not take it when it was tried last. `due_at`: not before then;
    `attempts`: how often it was tried. It ends as sent, or given up.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="notifications"
    )
    dedupe_key = models.CharField(max_length=200, unique=True)
    body = models.CharField(max_length=400)
    path = models.CharField(max_length=200, blank=True)
    done = models.JSONField(default=list)
    failed = models.JSONField(default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(body=""), name="notification_says_something"),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(given_up_at__isnull=True),
                name="notification_ends_one_way",
            ),
        )
        indexes = (
            models.Index(
                fields=("id",),
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="notification_waiting",
            ),
        )

    def __str__(self) -> str:
        return self.dedupe_key
