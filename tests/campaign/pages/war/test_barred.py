"""What is barred in a war is greyed where ships are designed and chosen, with the reason."""

from __future__ import annotations

import re

import pytest

from engine.design.restrictions import Restrictions
from tests.campaign.pages.war.browsing import player
from tests.umpire.services.wars import campaign_at

pytestmark = pytest.mark.django_db


@pytest.mark.rule("2e.agreed-rules")
def test_designer_and_deployment_grey_what_is_barred() -> None:
    campaign, _ = campaign_at("deploy", restrictions=Restrictions(("fighters", "needle")))
    ember = player(campaign, "ember")
    deployment = ember.client.get(ember.url("deploy/")).content.decode()
    options = re.findall(r"<option[^>]*>[^<]*</option>", deployment)
    barred = [option for option in options if "not allowed in this game: fighter bay" in option]
    assert barred
    assert all("disabled" in option for option in barred)
    assert not any("disabled" in option for option in options if "Frigate" in option)
    designer = ember.client.get(ember.url("designer/")).content.decode()
    buttons = re.findall(r'<button[^>]*value="add:[^>]*>', designer)
    greyed = {re.search(r"add:([a-z-]+)", button)[1] for button in buttons if "disabled" in button}  # type: ignore[index]
    assert greyed == {"fighter-bay", "needle"}
    assert "Greyed systems are not allowed in this war." in designer
