"""Texts sent to users by mail and other channels, in their language (`Preference`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.conf import settings
from django.utils import translation

from campaign.models.account import Preference
from campaign.words.languages import in_language


def texts_for_users(
    users: Iterable[int | None], make_text: Callable[[], str]
) -> dict[int | None, str]:
    """Return the text for each user in their language; None is the site's own channels.

    Args:
        make_text: Makes the text, including dates, in the current language.
    """
    readers = list(users)
    ids = [user for user in readers if user is not None]
    language_of: dict[int | None, str] = {}
    for preference in Preference.objects.filter(user_id__in=ids):
        language_of[preference.user_id] = preference.message_language
    texts: dict[str, str] = {}
    for language in dict.fromkeys((settings.LANGUAGE_CODE, *language_of.values())):
        with translation.override(language):
            texts[language] = in_language(make_text())
    return {user: texts[language_of.get(user, settings.LANGUAGE_CODE)] for user in readers}
