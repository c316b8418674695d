"""The reader of an event's sentences, and the names and links used for that reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.rules.queries import result_words
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.words.links import linked
from engine.core.phrase import phrase
from engine.english import counted_noun


@dataclass(frozen=True, slots=True)
class NoticeLinks:
    """Addresses for names in notices: the reader's ships by name, systems on the map by key."""

    ships: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)


NO_LINKS = NoticeLinks()


class NoticeReader:
    """The reader of notices, and the names they know things by."""

    def __init__(self, scenario: Scenario, faction: str, links: NoticeLinks = NO_LINKS) -> None:
        self.faction = faction
        self._scenario = scenario
        self.open_play = scenario.open_play
        self.links = links
        self.single = is_skirmish(scenario)
        self._system_by_hex = {system.hex: system.name for system in scenario.systems}
        self._systems = {system.id: system.name for system in scenario.systems}
        self._powers = {power.id: power.name for power in scenario.factions}

    def place(self, label: str) -> str:
        """Return the name of a hex, which is that of its system if it has one; "" for no hex."""
        if not label:
            return ""
        return self._system_by_hex.get(label, phrase("hex {}", label))

    def system(self, key: str) -> str:
        """Return a system's name, linked to the map if it is there."""
        return linked(self._systems.get(key, key), self.links.systems.get(key, ""))

    def power(self, key: object) -> str:
        """Return a faction's name within a sentence; the reader's own is `you`."""
        if key == self.faction:
            return phrase("you")
        return self._powers.get(str(key), str(key))

    def ship(self, name: str) -> str:
        """Return a ship's name, linked to its page if it has one."""
        # Names are the same in all languages, also if the umpire made one from a phrase.
        return linked(str(name), self.links.ships.get(name, ""))

    def result(self, text: str) -> str:
        """Return the stored result of the war."""
        return result_words(self._scenario, text)

    def us(self, key: str, us: str = phrase("we")) -> str:
        """Return a faction's name in its own newspaper: `us` for itself."""
        if key == self.faction:
            return us
        return self.power(key)


def counted_words(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return counted_noun(count, noun)
