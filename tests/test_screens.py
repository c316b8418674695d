"""Every page of the site has a picture, or a stated reason why not."""

from __future__ import annotations

from tools.screens.__main__ import EVERY
from tools.screens.addresses import NO_PAGE, SHOWN, names


def test_every_address_has_a_picture_or_a_reason() -> None:
    told = [*SHOWN, *NO_PAGE]
    assert sorted(set(names()) - set(told)) == [], (
        "a new page needs a picture: a line in SHOWN of tools/screens/addresses.py and one in SCREENS of "
        "tools/screens/pages.py; an address without a page of its own, a reason in NO_PAGE"
    )
    assert sorted(set(told) - set(names())) == [], "these addresses are gone"
    assert sorted(name for name in set(told) if told.count(name) > 1) == [], "told of twice"


def test_every_picture_that_is_named_is_drawn() -> None:
    drawn = [screen.name for screen in EVERY]
    assert sorted(set(SHOWN.values()) - set(drawn)) == [], (
        "each needs a line in SCREENS of tools/screens/pages.py"
    )
    assert sorted(name for name in set(drawn) if drawn.count(name) > 1) == [], (
        "two pictures of one name"
    )
    assert len(set(SHOWN.values())) == len(SHOWN), "one picture for two pages"
    unjudged = [
        screen.name for screen in EVERY if screen.name in SHOWN.values() and not screen.scripts
    ]
    assert unjudged == [], "axe, a script, judges no page without scripts"
