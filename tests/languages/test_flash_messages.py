"""Confirmations after a redirect are in the language of the page that shows them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.core.phrase import Count, capitalize_first, counted_noun, join_phrases, phrase
from engine.core.phrase_data import phrase_data, restore_phrase
from engine.english import join_names

SAVED = {"en": "Saved.", "de": "Gespeichert.", "fr": "Enregistré."}


@pytest.fixture
def anna() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("anna"))
    return client


def _notice(client: Client, form: dict[str, str], accept: str) -> str:
    """Send the form, follow the redirect, and return the confirmation on the page."""
    page = client.post("/me/", form, headers={"Accept-Language": accept}, follow=True)
    assert page.redirect_chain
    return page.content.decode().partition('role="status">')[2].partition("</p>")[0]


@pytest.mark.django_db
@pytest.mark.any_database
def test_confirmation_is_in_the_browser_language(anna: Client) -> None:
    form = {"act": "preferences", "theme": "auto"}
    assert {accept: _notice(anna, form, accept) for accept in SAVED} == SAVED


@pytest.mark.django_db
@pytest.mark.any_database
def test_language_confirmation_is_in_the_new_language(anna: Client) -> None:
    form = {"act": "preferences", "theme": "auto", "language": "de"}
    assert _notice(anna, form, "en") == SAVED["de"]


@pytest.mark.parametrize(
    "text",
    [
        phrase("Saved."),
        phrase("Deleted: {}.", "Lance <b>"),
        phrase("{of} of {all}", of=3, all=0.5),
        phrase("At most {ships:ship}", ships=Count(2)),
        join_phrases(", ", (phrase("the end"), "Frost", counted_noun(3, "cruiser"))),
        capitalize_first(join_names([phrase("docks"), phrase("yards")])),
    ],
)
def test_stored_text_round_trips(text: str) -> None:
    restored = restore_phrase(phrase_data(text))
    assert restored == text
    assert type(restored) is type(text)
    assert phrase_data(restored) == phrase_data(text)


def test_value_unfit_for_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        phrase_data(phrase("Saved: {}.", object()))
