"""Every page of the site has a picture, or a stated reason why not."""

from __future__ import annotations

from tools.screens.__main__ import ALL_SCREENS
from tools.screens.addresses import NO_PAGE, PICTURES, names


def test_every_address_has_a_picture_or_a_reason() -> None:
    names_listed = [*PICTURES, *NO_PAGE]
    assert sorted(set(names()) - set(names_listed)) == [], (
        "a new page needs a picture: a line in SHOWN of tools/screens/addresses.py and one in SCREENS of "
        "tools/screens/pages.py; an address without a page of its own, a reason in NO_PAGE"
    )
    assert sorted(set(names_listed) - set(names())) == [], "these addresses are gone"
    assert sorted(name for name in set(names_listed) if names_listed.count(name) > 1) == [], (
        "told of twice"
    )


def test_every_named_picture_is_drawn() -> None:
    screens_drawn = [screen.name for screen in ALL_SCREENS]
    assert sorted(set(PICTURES.values()) - set(screens_drawn)) == [], (
        "each needs a line in SCREENS of tools/screens/pages.py"
    )
    assert sorted(name for name in set(screens_drawn) if screens_drawn.count(name) > 1) == [], (
        "two pictures of one name"
    )
    assert len(set(PICTURES.values())) == len(PICTURES), "one picture for two pages"
    unjudged = [
        screen.name
        for screen in ALL_SCREENS
        if screen.name in PICTURES.values() and not screen.scripts
    ]
    assert unjudged == [], "axe, a script, judges no page without scripts"
