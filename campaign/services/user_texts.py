"""Texts sent to users by mail and other channels, in their chosen language, or else in English."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils import translation

from campaign.models.account import Preference
from campaign.words.languages import ENGLISH, in_language, languages


def texts_for_users(
    users: Iterable[int | None], make_text: Callable[[], str]
) -> dict[int | None, str]:
    """Return the text for each user in their language; None is the site's own channels.

    Args:
        make_text: Makes the text, including dates, in the current language.
    """
    readers = list(users)
    preferences = Preference.objects.filter(
        user_id__in=[user for user in readers if user is not None], language__in=languages()
    )
    language_of: dict[int | None, str] = dict(preferences.values_list("user_id", "language"))
    texts: dict[str, str] = {}
    for language in dict.fromkeys((ENGLISH, *language_of.values())):
        with translation.override(language):
            texts[language] = in_language(make_text())
    return {user: texts[language_of.get(user, ENGLISH)] for user in readers}
