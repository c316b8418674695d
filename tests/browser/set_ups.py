"""Online battles at their set-up, created in a site's environment.

`python -m tests.browser.set_ups NAC ESU` prints the campaign's id.
"""

from __future__ import annotations


def main(nac: str, esu: str) -> None:
    """Create the battle for these two players, and print where it is."""
    from tests.umpire.services.set_up_battle import SetUpBattle

    field = {"place": 1, "by": "nac", "apart": 6}
    battle = SetUpBattle(names={"nac": nac, "esu": esu}, asteroids=field)
    print(battle.campaign.public_id)
