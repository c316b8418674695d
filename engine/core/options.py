"""The options of each edition: what players may agree on, in words, and which go together.

Rules: 2E and Continuum, wherever the books say "optional".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.errors import Violation, place
from engine.core.terms import (
    AFT_FIRE,
    ASTEROID_DESTRUCTION,
    CATAPULTS,
    COMBINED_HANGARS,
    CORE_SYSTEMS,
    CPV,
    DRIVE_DAMAGE,
    EMERGENCY_THRUST,
    FLAK,
    FLAWED_DESIGNS,
    FREE_ADFC,
    FTL_SCATTER,
    HANGAR_CRITICALS,
    MIXED_MOVEMENT,
    MOVING_TABLE,
    NO_FTL,
    NO_RAMMING,
    NO_REPAIRS,
    OVERLOAD,
    RAM_ON,
    REACTOR_BREACH,
    REAR_ATTACK,
    SCIENCE_FICTION,
    TABLE_RETURN,
    VECTOR,
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option by its name. `words`: what it changes. `source`: where the books have it.

    `of_designs`: it changes what ships may carry or cost, so it is settled with the ships. `needs`: an option it makes
    no sense without. `alone`: options of which only one can be in force.
    """

    name: str
    title: str
    words: str
    source: str
    of_designs: bool = False
    needs: str = ""
    alone: tuple[str, ...] = ()


RAMS = tuple(
    Option(name, f"Rams on {name[-1]}",
           f"Crews dare to ram on a die of {name[-1]} or more; of several the least counts.",
           "2E Ramming; Continuum 16.7", alone=(NO_RAMMING,))
    for name in RAM_ON
)  # fmt: skip
SHARED = (
    Option(MOVING_TABLE, "Moving table", "Where the whole battle drifts over an edge, the table goes with it.",
           "2E The moving table; Continuum 16.4"),
    Option(NO_FTL, "No FTL", "The battle is inside the hyper limit: no ship can enter or leave FTL.",
           "2E Convoy 990; Continuum 11.2"),
    Option(FTL_SCATTER, "Wild FTL entries", "A 6 for the distance by which an entry goes astray is multiplied.",
           "2E FTL entry; Continuum 11.5"),
    *RAMS,
)  # fmt: skip
OPTIONS_OF: dict[str, tuple[Option, ...]] = {
    "second-edition": (
        Option(ASTEROID_DESTRUCTION, "Asteroids can be broken", "Guns may be turned on asteroids.", "2E Asteroids"),
        *SHARED,
    ),
    "continuum": (
        Option(VECTOR, "Vector movement", "Ships drift on while they turn: course and facing part.", "Continuum 12.12",
               alone=(VECTOR, MIXED_MOVEMENT)),
        Option(MIXED_MOVEMENT, "Both ways of movement", "Some ships move by vectors, the others by courses.",
               "Continuum 12.12", alone=(VECTOR, MIXED_MOVEMENT)),
        Option(EMERGENCY_THRUST, "Emergency thrust", "Half as much thrust again, and turns beyond half the rating, at "
               "the risk of the drive.", "Continuum 3.6"),
        Option(TABLE_RETURN, "Ships may come back", "On 4 to 6 a ship that left the table returns in as many turns.",
               "Continuum 3.9"),
        *SHARED,
        Option(NO_RAMMING, "No rams", "Ships may not ram.", "Continuum 16.7", alone=RAM_ON),
        Option(AFT_FIRE, "Fire through the stern", "A ship that spent no thrust may fire aft.", "Continuum 4.2"),
        Option(REAR_ATTACK, "Attacks from astern", "Fire from a ship's rear arc passes its armour.", "Continuum 4.10"),
        Option(DRIVE_DAMAGE, "Fragile drives", "The drive is checked twice where two rows or more ended at once.",
               "Continuum 4.11"),
        Option(CORE_SYSTEMS, "Core systems", "Bridge, life support and power core can be hit.", "Continuum 10.3"),
        Option(REACTOR_BREACH, "Reactor breaches", "A power core that explodes damages ships nearby.",
               "Continuum 10.3", needs=CORE_SYSTEMS),
        Option(NO_REPAIRS, "No damage control", "What is knocked out stays so until the battle is over.",
               "Continuum 18.2"),
        Option(OVERLOAD, "Overloaded torpedoes", "Pulse torpedoes may be overloaded.",
               "Continuum 5.14", of_designs=True),
        Option(FLAK, "Flak", "K-guns may carry shells that burst among fighters and missiles.", "Continuum 5.16",
               of_designs=True),
        Option(FLAWED_DESIGNS, "Flawed designs", "Ships may be built cheaply, but hits may blow them up.",
               "Continuum 13.13", of_designs=True),
        Option(HANGAR_CRITICALS, "Critical hits on hangars", "A hangar that is hit may burn; hangars are cheaper.",
               "Continuum 10.2", of_designs=True),
        Option(CATAPULTS, "Catapults", "Launch tubes may launch fighters from a ship that uses thrust.",
               "Continuum 13.12", of_designs=True),
        Option(COMBINED_HANGARS, "Combined hangars", "Hangars with launch gear of their own.", "Continuum 13.12",
               of_designs=True),
        Option(FREE_ADFC, "Free area defence", "Area defence fire control takes no mass above mass 20.",
               "Continuum 7.10", of_designs=True),
        Option(CPV, "Combat points", "A hull costs its mass squared, by hundreds: large ships are dearer.",
               "Continuum 18.3", of_designs=True),
        Option(SCIENCE_FICTION, "Wonder weapons", "Nova cannons, wave guns and reflex fields may be fitted.",
               "Continuum 7.23-7.25", of_designs=True),
    ),
}  # fmt: skip


def known(edition: str) -> tuple[str, ...]:
    """The names of an edition's options, in its own order."""
    return tuple(option.name for option in OPTIONS_OF.get(edition, ()))


def titles(edition: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options in force as people call them, in the edition's order."""
    return tuple(option.title for option in OPTIONS_OF.get(edition, ()) if option.name in options)


def option_violations(edition: str, options: Sequence[str]) -> tuple[Violation, ...]:
    """What is wrong with options chosen together: unknown ones (the known ones are listed), and what does not mix."""
    return tuple(_violations(edition, options))


def _violations(edition: str, options: Sequence[str]) -> Iterator[Violation]:
    rows = {option.name: option for option in OPTIONS_OF.get(edition, ())}
    for number, name in enumerate(options):
        where, row = place("options", number), rows.get(name)
        if row is None:
            words = f"{edition} has no option {name!r}; known: {', '.join(rows) or 'none'}"
            yield Violation(where, "unknown-option", words)
            continue
        if row.needs and row.needs not in options:
            yield Violation(where, "option-needs", f"'{name}' makes no sense without '{row.needs}'")
        others = [other for other in options[:number] if other != name and other in row.alone]
        if others:
            yield Violation(where, "options-clash", f"'{name}' and '{others[0]}' cannot both be in force")
