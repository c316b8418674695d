"""Measure what each cache saves: the CPU time of some work without it, divided by the time with it.

`python -m tools.bench.caches [NAME ...] [--runs N]` measures all caches that `python -m
tools.caches` lists, or those whose names contain a given text. Each is measured on the work that
uses it most often.

Only the calls of one cache are timed, once with it and once without, in one process; the rest of
the work counts as it is. This shows a gain of 1% although the whole work varies by 10%. The work
runs once to fill the caches and once more, with other seeds, to be measured. Work whose name begins
with "cold" starts with empty caches, as after a start of the program.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from time import process_time
from typing import Any

import yaml

from engine.core.cache import Cache
from tools.bench.site_works import Work, site_works
from tools.bench.temporary_site import temporary_site
from tools.caches import PACKAGES, CachedValue, all_cached

MAX_TASKS = 4  # number of pieces of work on which a cache is measured: those that use it most
COLD = "cold "  # prefix of the names of work that starts with empty caches
LEAST = 1.02  # a cache that saves less should be removed
# These are used by `get` and `keep`: calling a function would cost over half of what they save.
BY_HAND = (
    "engine.captains.common.foes._SEEN_ARMAMENTS",
    "engine.captains.common.foes._OWN",
    "engine.captains.continuum.weapon_settings._SETTABLE",
)


class Switch:
    """A cache that can be switched off, and counts how often it is used."""

    def __init__(self, cached: CachedValue) -> None:
        self.name = f"{cached.module}.{cached.name}"
        self.owner: Any = importlib.import_module(cached.module)
        *outer, self.attribute = cached.name.split(".")
        self.of_objects = "self" in outer  # an `lru_cache` that each object creates for itself
        for name in outer:
            self.owner = self.owner if name == "self" else getattr(self.owner, name)
        self.cache = self.owner.__dict__[("_" if self.of_objects else "") + self.attribute]
        self.by_hand = self.name in BY_HAND
        self.calls = 0
        self.seconds = 0.0

    def forget(self) -> None:
        """Empty the cache."""
        if hasattr(self.cache, "cache_clear"):
            self.cache.cache_clear()
        elif hasattr(self.cache, "clear"):
            self.cache.clear()

    @contextmanager
    def timing(self, *, off: bool) -> Iterator[None]:
        """Count and time the calls of the cache; with `off`, compute every value anew."""
        is_property = isinstance(self.cache, cached_property)
        if self.of_objects:
            with self._each_object(off=off):
                yield
        elif isinstance(self.cache, Cache) and self.by_hand:
            with self._replaced(self._watched_by_hand(off=off)):
                yield
        elif isinstance(self.cache, Cache):
            most = self.cache.most
            if off:
                self.cache.clear()
                self.cache.most = 0
            self.cache.get_or_make = self._timing(self.cache.get_or_make)  # type: ignore[method-assign]
            yield
            del self.cache.get_or_make
            self.cache.most = most
        elif is_property:
            watched = self._timing(self.cache.func)
            with self._replaced(
                property(watched)
                if off
                else _named_property(cached_property(watched), self.attribute)
            ):
                yield
        else:
            with self._replaced(self._timing(self.cache.__wrapped__ if off else self.cache)):
                yield

    def _timing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its calls counted and the CPU time of the outermost calls added
        up.
        """
        self.calls = 0
        self.seconds = 0.0
        depth = 0

        def watched(*arguments: Any, **keywords: Any) -> Any:
            nonlocal depth
            self.calls += 1
            depth += 1
            started = process_time()
            try:
                return function(*arguments, **keywords)
            finally:
                depth -= 1
                if not depth:
                    self.seconds += process_time() - started

        return watched

    @contextmanager
    def _each_object(self, *, off: bool) -> Iterator[None]:
        """Count the uses of an `lru_cache` that each object creates in its `__init__`."""
        begin = self.owner.__init__
        attribute = self.attribute
        watched = self._timing(lambda one, *given: kept(one)(*given))

        def kept(one: Any) -> Any:
            return getattr(one, f"_{attribute}") if off else one.__dict__[f"kept {attribute}"]

        def made(one: Any, *arguments: Any, **named: Any) -> None:
            begin(one, *arguments, **named)
            one.__dict__[f"kept {attribute}"] = getattr(one, attribute)
            setattr(one, attribute, lambda *given: watched(one, *given))

        self.owner.__init__ = made
        yield
        self.owner.__init__ = begin

    def _watched_by_hand(self, *, off: bool) -> Cache[Any, Any]:
        """Return a cache that counts each `get`.

        The time between a `get` and its `keep` counts as time of the cache, too.
        """
        switch = self
        switch.calls = 0
        switch.seconds = 0.0

        class Watched(Cache[Any, Any]):
            begun = 0.0

            def get(self, key: Any, default: Any = None) -> Any:
                switch.calls += 1
                self.begun = process_time()
                found = super().get(key, default)
                if found is not None:
                    switch.seconds += process_time() - self.begun
                return found

            def keep(self, key: Any, value: Any) -> Any:
                found = super().keep(key, value)
                switch.seconds += process_time() - self.begun
                return found

        watched = Watched(0 if off else self.cache.most)
        watched.update({} if off else self.cache)
        return watched

    @contextmanager
    def _replaced(self, other: Any) -> Iterator[None]:
        """Replace the cache wherever a module or its class refers to it."""
        places = [(self.owner, self.attribute)]
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in PACKAGES:
                places += [
                    (module, key) for key, value in vars(module).items() if value is self.cache
                ]
        for place, key in places:
            setattr(place, key, other)
        yield
        for place, key in places:
            setattr(place, key, self.cache)


def _named_property(cached: Any, name: str) -> Any:
    """Return a `cached_property` that knows its name, as if a class had been created with it."""
    cached.__set_name__(None, name)
    return cached


def works() -> dict[str, Work]:
    """Return the pieces of work by name, each a function of a seed."""
    from tools.bench.continuum import large as ten_against_ten
    from tools.bench.engine import FIRST_BATTLE, large
    from tools.bench.fights import fight_battles, start_battle
    from tools.bench.systems import ENTRIES, battle_file

    first = yaml.safe_load(FIRST_BATTLE.read_text(encoding="utf-8"))
    battles = {
        "first battle": (first, 6),
        "50 against 35": (large(), 1),
        "Continuum": (ten_against_ten(), 1),
        "Continuum, vectors": (ten_against_ten("vector"), 1),
        "carriers": (battle_file(ENTRIES["carriers"]), 1),
    }
    work_by_name: dict[str, Work] = {}
    for name, (document, count) in battles.items():
        battle = start_battle(json.dumps(document))
        work_by_name[name] = lambda seed, battle=battle, count=count: fight_battles(
            battle, seed * count, count
        )  # type: ignore[misc]
    work_by_name |= _reading_work() | _weeks() | _pages() | site_works()
    return work_by_name | {COLD + name: work_by_name[name] for name in COLD_WORK}


def _reading_work() -> dict[str, Work]:
    """Return work on battles other than fighting them: side logs, stored documents, ship files."""
    from engine.battle import battle_from, fight, start
    from engine.core.dice import KeyedDice
    from engine.notation.designs import parse_classes, sheet_of
    from engine.notation.documents import FILES, read_yaml
    from engine.notation.files import SHIPS
    from engine.view.event_reader import read_events
    from engine.view.side_log import side_log
    from tools.bench.systems import ENTRIES, battle_file

    battle = start(battle_file(ENTRIES["carriers"]))
    stored = json.dumps(battle.to_json())
    ships = (SHIPS / "continuum.yaml").read_text(encoding="utf-8")

    def tell_events(seed: int) -> None:
        over = fight(battle, {}, KeyedDice(b"bench", [seed]), str(seed))
        for side in (0, 1):
            read_events(side_log(over.events, battle.state, side))

    def read_ships(_seed: int) -> None:
        for design in parse_classes(read_yaml(ships, FILES)).values():
            sheet_of(design)

    return {
        "battle told": tell_events,
        "stored battle": lambda _seed: [battle_from(json.loads(stored)) for _ in range(10)],
        "ships file": read_ships,
    }


def _weeks() -> dict[str, Work]:
    from tools.bench.week import make_scenario, make_world, one_week

    scenario = make_scenario(1000)
    world, orders = make_world(scenario, 1000)
    return {"week": lambda _seed: one_week(scenario, world, orders)}


def _pages() -> dict[str, Work]:
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler

    from tools.bench.web import ask, war_in_progress

    settings.ALLOWED_HOSTS = ["localhost"]
    session, token, war = war_in_progress(3)
    site = WSGIHandler()
    cookie = {"HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}={session}"}
    bearer = {"HTTP_AUTHORIZATION": f"Token {token}"}
    addresses = {"war room": f"/c/{war}/"}
    for name in OTHER_PAGES:
        addresses[name or "home"] = f"/{name}/".replace("//", "/")
    for name in PAGES:
        addresses[name] = f"/c/{war}/{name}/"
    work_by_name: dict[str, Work] = {}
    for name, address in addresses.items():
        work_by_name[name] = lambda _seed, address=address: [
            ask(site, address, cookie) for _ in range(5)
        ]  # type: ignore[misc]
    for name in ("orders", "view"):
        address = f"/api/campaigns/{war}/{name}/"
        work_by_name[f"API {name}"] = lambda _seed, address=address: [
            ask(site, address, bearer) for _ in range(10)
        ]  # type: ignore[misc]
    for name, address in addresses.items():
        if ask(site, address, cookie)[0] != 200:
            raise SystemExit(f"{name}: {address} cannot be read")
    return work_by_name


PAGES = (
    *("map", "orders", "ships", "reports", "gazette", "receipts", "designer", "odds", "public"),
    *("visibility", "classes/sheets", "tech-base"),
)
OTHER_PAGES = ("", "help", "help/words", "scenarios", "league", "designs/compare", "me")


COLD_WORK = (
    *("/scenarios/", "lafayette classes/", "printed sheets", "technology deploy/", "orders"),
    *("duel-plot /battles/", "lafayette-over story/", "rehearsal", "/designs/new/continuum/"),
    *("late classes/", "late odds/", "/api/schema/", "API check of orders", "handicap"),
    *("ways of fleets", "dogfights", "lafayette-over gazette/chronicle/"),
    *(
        "names of systems",
        "classes of a battle",
        "foreign classes",
        "belief",
        "battles stored",
        "plans of fleets",
        "distances",
    ),
)


def gain(switch: Switch, switches: list[Switch], task: Task, runs: int) -> float | None:
    """Return the time of some work without a cache over its time with it.

    Returns:
        None if nothing asks the cache.
    """
    inside: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(runs):
        for off, seconds in inside.items():
            with switch.timing(off=off):
                if switch.of_objects:
                    _forget(switches)
                task.prepare(switches)
                switch.calls = 0
                switch.seconds = 0.0
                task.work(2)
            if not switch.calls:
                return None
            seconds.append(switch.seconds)
    total = task.seconds
    return (total - min(inside[False]) + min(inside[True])) / total


class Task:
    """A piece of work, and the CPU seconds that it takes with all caches."""

    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self.work = work
        self.seconds = 0.0

    def prepare(self, switches: list[Switch]) -> None:
        """Fill the caches, or empty them for work that starts with empty ones."""
        if self.name.startswith(COLD):
            _forget(switches)
        else:
            self.work(1)

    def measure(self, switches: list[Switch], runs: int) -> None:
        """Measure how long the work takes, and store it."""
        found = []
        for _ in range(runs):
            self.prepare(switches)
            begun = process_time()
            self.work(2)
            found.append(process_time() - begun)
        self.seconds = min(found)


def _forget(switches: list[Switch]) -> None:
    for switch in switches:
        switch.forget()


def asking(switches: list[Switch], tasks: list[Task]) -> dict[str, dict[str, float]]:
    """Return for each cache the pieces of work that use it, with the uses per second."""
    work_names: dict[str, dict[str, float]] = {switch.name: {} for switch in switches}
    for task in tasks:
        _forget(switches)
        with ExitStack() as stack:
            for switch in switches:
                stack.enter_context(switch.timing(off=False))
            task.prepare(switches)
            for switch in switches:
                switch.calls = 0
            task.work(2)
            for switch in switches:
                if switch.calls:
                    work_names[switch.name][task.name] = switch.calls / task.seconds
    return work_names


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.caches")
    parser.add_argument("names", nargs="*", help="parts of names of caches (default: all)")
    parser.add_argument(
        "--runs", type=int, default=2, help="runs with and without each (default: 2)"
    )
    args = parser.parse_args()
    with temporary_site():
        tasks = {name: Task(name, work) for name, work in works().items()}
        switches = [Switch(cached) for cached in all_cached()]
        for task in tasks.values():
            task.measure(switches, args.runs)
        asked_by = asking(switches, list(tasks.values()))
        for switch in switches:
            if args.names and not any(text in switch.name for text in args.names):
                continue
            ratios = {}
            often = asked_by[switch.name]
            for name in sorted(often, key=lambda one: -often[one])[:MAX_TASKS]:
                ratio = gain(switch, switches, tasks[name], args.runs)
                if ratio is not None:
                    ratios[name] = ratio
            ratio_text = ", ".join(f"{work} {ratio:.3f}" for work, ratio in ratios.items())
            best = max(ratios.values(), default=0.0)
            print(
                f"{'' if best >= LEAST else '- '}{switch.name}: {ratio_text or 'asked by none'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
