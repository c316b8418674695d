"""Open a campaign, begin its war, and change who has which seat.

A computer admiral leads each faction without players. When a player takes the faction, they command
it, and its standing orders apply if they seal nothing. A user who had a seat or was a guest on one
side of a running war cannot take a seat on another. When the last player of a running war leaves,
its clock stops until a player takes a seat, unless the host or umpire lets computers play on.

Invitations are in `campaign.services.invites`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import AlreadyStarted, NotAllowed, NotFound, StageClosed
from campaign.kinds import Role, SeatEndCause
from campaign.models.campaign import (
    FACTION_ROLES,
    ROLES_WITH_FACTION,
    Campaign,
    Faction,
    Membership,
    SeatEnd,
)
from campaign.models.ledger import JOIN, LEAVE, TO_COMPUTER, Act
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.models.stage import Stage
from campaign.rules.agreements import SCENARIO_AGREEMENTS, Agreements
from campaign.rules.beacon import RULE as BEACON_RULE
from campaign.rules.beacon import has_beacon
from campaign.rules.codec import from_document
from campaign.rules.costs import cost_violations
from campaign.rules.fire_by_ship import setting_faults
from campaign.rules.message_rules import NO_MESSAGES, MessageRules
from campaign.rules.rollback_rules import DEFAULT_ROLLBACKS, RollbackRules
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import TIMETABLES, timetable_violations
from campaign.selectors.due import due_announce, war_start
from campaign.selectors.families import seat_shows_rivals, unfinished_family_of
from campaign.services.acts import act_write, lock_open_stage
from campaign.services.bots import bots_allowed, is_bot
from campaign.services.campaigns import (
    SCENARIO_MARKERS,
    Markers,
    admiral_violations,
    agreement_violations,
    battle_ruleset_entries,
    battle_setting_of,
    battles_violations,
    beacon_entries,
    beacon_violations,
    campaign_create,
    default_battle_setting,
    membership_add,
    name_violations,
)
from campaign.services.clock import (
    NOBODY_PLAYS,
    UNPLAYED,
    clock_start,
    clock_stop,
    stopped_for_players,
)
from campaign.services.seat_ends import seat_end_write
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import join_names

COMPUTER = "steady"  # character of a computer admiral by default
OTHER_SIDE_OF_FAMILY = phrase(
    "a war that shares this history is not over: players of both must be on the same side"
)


@dataclass(frozen=True, slots=True)
class SeatLoss:
    """Why seats end, and the consequences.

    Attributes:
        verb: The verb of the act.
        role: The role of the seats; with a faction, its seats.
        character: Character of the computer admiral that leads the faction if no player is left.
        unattended: The war goes on even without players.
        by: See `SeatEnd`.
        new: See `SeatEnd`.
    """

    verb: str
    cause: SeatEndCause
    role: str
    faction: Faction | None
    character: str = COMPUTER
    unattended: bool = False
    reason: str = ""
    by: str = ""
    new: str = ""


def campaign_open(  # noqa: PLR0913 -- the settings of a campaign
    *,
    user: AbstractBaseUser,
    scenario: ScenarioRow,
    name: str = "",
    timetable: Mapping[str, Any] | None = None,
    play: str = "",
    umpire: bool = False,
    admirals: Mapping[str, str] | None = None,
    battles: str = "",
    markers: Markers = SCENARIO_MARKERS,
    agreements: Agreements = SCENARIO_AGREEMENTS,
    bots: bool = False,
    beacon: bool = False,
    messages: MessageRules = NO_MESSAGES,
    rollbacks: RollbackRules = DEFAULT_ROLLBACKS,
    seed: str = "",
    dice_key: str = "",
    now: datetime | None = None,
) -> Campaign:
    """Create a campaign of a scenario, hosted by the user.

    Args:
        play: Key of the faction that the user leads.
        umpire: The user is the umpire, and then never plays.
        timetable: See `campaign.rules.timetable`; by default stages close when all players have
            sealed.
        admirals: Character of the computer admiral by faction key, used while it has no player.
        battles: A `BattleSetting`, or empty for the default.
        markers: Open or hidden movement.
        agreements: The options, what is barred, and names of classes.
        bots: Bots may take seats.
        beacon: Public random values are mixed into the dice.
        messages: How messages are delivered.
        rollbacks: Who decides on rollbacks.
        seed: As in `campaign_create`, like `dice_key`.

    Raises:
        RuleViolations: All faults.
    """
    document = from_document(Scenario, scenario.body)
    battles = battles or default_battle_setting(document)
    keys = [faction.id for faction in document.factions]
    if timetable is None:
        timetable = {**TIMETABLES["solo"], "zone": "UTC"}
    violations = [
        *name_violations(name),
        *timetable_violations(timetable, len(keys)),
        *_own_seat_violations(play, keys, umpire=umpire),
        *admiral_violations(admirals or {}, keys),
        *battles_violations(battles, is_single_battle=is_skirmish(document)),
        *markers.violations(document),
        *agreement_violations(agreements, document),
        *_firing_violations(document, agreements, battles, timetable),
        *messages.violations(),
        *rollbacks.violations(),
        *beacon_violations(chosen=beacon),
        *cost_violations(document),
    ]
    takes_seat = bool(play) or umpire
    if takes_seat and not bots and is_bot(user):
        words = phrase("this account is a bot: allow bots, or take no seat")
        violations.append(Violation("bots", "no-bots", words))
    if violations:
        raise RuleViolations(violations)
    with transaction.atomic():
        campaign = campaign_create(
            scenario=scenario,
            name=name,
            timetable=dict(timetable),
            admirals=_admirals_of_empty_seats(admirals or {}, keys, play),
            battles=battles,
            markers=markers,
            agreements=agreements,
            bots=bots,
            beacon=beacon,
            messages=messages,
            rollbacks=rollbacks,
            seed=seed,
            dice_key=dice_key,
        )
        Campaign.objects.filter(pk=campaign.pk).update(created_by=user.pk)
        campaign.created_by_id = user.pk
        membership_add(campaign=campaign, user=user, role=Role.HOST)
        if umpire:
            membership_add(campaign=campaign, user=user, role=Role.UMPIRE)
        if play:
            seat_give(
                campaign=campaign,
                user=user,
                role=Role.PLAYER,
                faction=campaign.factions.get(key=play),
                now=_at(now),
            )
    return campaign


def _firing_violations(
    scenario: Scenario, agreements: Agreements, battles: str, timetable: Mapping[str, Any]
) -> list[Violation]:
    """Return the faults of the settings of a single battle whose sides fire ship by ship."""
    if not is_skirmish(scenario):
        return []
    options = scenario.options if agreements.options is None else agreements.options
    return setting_faults(options, battles, timetable)


def _own_seat_violations(play: str, keys: Sequence[str], *, umpire: bool) -> list[Violation]:
    """Return the faults of the seat that a user wants in a new campaign."""
    violations = []
    if play and play not in keys:
        violations.append(Violation("play", "unknown-faction", phrase("no faction '{}'", play)))
    if play and umpire:
        words = phrase("an umpire cannot also play in the same campaign")
        violations.append(Violation("umpire", "umpire-plays", words))
    return violations


def _admirals_of_empty_seats(
    admirals: Mapping[str, str], keys: Sequence[str], play: str
) -> dict[str, str]:
    """Return the computer admiral of each faction except the one that the user plays."""
    return {key: admirals.get(key) or COMPUTER for key in keys if key != play}


def campaign_change(
    *,
    viewer: Viewer,
    name: str | None = None,
    timetable: Mapping[str, Any] | None = None,
    admirals: Mapping[str, str] | None = None,
    battles: str | None = None,
    beacon: bool | None = None,
) -> Campaign:
    """Change the given settings of a campaign before its war begins.

    Raises:
        NotFound: The viewer is not a host.
        AlreadyStarted: The war has begun.
        RuleViolations: All faults.
    """
    campaign = require(viewer, host=True).campaign
    keys = list(campaign.factions.values_list("key", flat=True))
    violations = [*name_violations(name or ""), *admiral_violations(admirals or {}, keys)]
    if battles is not None:
        is_single_battle = bool(campaign.ruleset.get("single"))
        violations += battles_violations(battles, is_single_battle=is_single_battle)
    if timetable is not None:
        violations += timetable_violations(timetable, len(keys))
    if beacon is not None and not has_beacon(campaign.ruleset):
        violations += beacon_violations(chosen=beacon)
    violations += setting_faults(
        campaign.ruleset["options"],
        battles or battle_setting_of(campaign),
        campaign.timetable if timetable is None else timetable,
    )
    if violations:
        raise RuleViolations(violations)
    with transaction.atomic():
        locked_campaign = lock_campaign(campaign)
        if locked_campaign.started_at is not None:
            raise AlreadyStarted(phrase("this campaign has started"))
        if name:
            locked_campaign.name = name
        if timetable is not None:
            locked_campaign.timetable = dict(timetable)
        if battles is not None:
            ruleset = dict(locked_campaign.ruleset)
            ruleset.pop("battles", None)
            locked_campaign.ruleset = ruleset | battle_ruleset_entries(battles)
        if beacon is not None:
            ruleset = dict(locked_campaign.ruleset)
            ruleset.pop(BEACON_RULE, None)
            locked_campaign.ruleset = ruleset | beacon_entries(chosen=beacon)
        locked_campaign.save(update_fields=["name", "timetable", "ruleset"])
        _set_admirals(locked_campaign, admirals or {})
    return locked_campaign


def _set_admirals(campaign: Campaign, admirals: Mapping[str, str]) -> None:
    """Set the computer admirals of factions by key; factions with players keep theirs."""
    played_keys = set(played_factions(campaign).values_list("key", flat=True))
    for key, character in admirals.items():
        if key not in played_keys:
            Faction.objects.filter(campaign=campaign, key=key).update(admiral=character)


def campaign_begin(
    *,
    viewer: Viewer,
    computers: Collection[str] | None = None,
    unattended: bool = False,
    now: datetime | None = None,
) -> Stage:
    """Begin the war and return its deployment stage, which is open.

    Factions without players get a computer admiral.

    Args:
        computers: Keys of the factions that the host expects computer admirals to lead; None
            accepts any.
        unattended: Begin although no faction has a player: computer admirals play the whole war.

    Raises:
        NotFound: The viewer is not a host.
        AlreadyStarted: The war has begun.
        NotAllowed: A faction that is not in `computers` has no player, or no faction has one and
            `unattended` is false.
    """
    campaign = require(viewer, host=True).campaign
    moment = _at(now)
    with transaction.atomic():
        locked_campaign = lock_campaign(campaign)
        if locked_campaign.started_at is not None:
            raise AlreadyStarted(phrase("this campaign has started"))
        played = played_factions(locked_campaign).values("pk")
        empty = Faction.objects.filter(campaign=locked_campaign).exclude(pk__in=played)
        _check_empty_seats(
            locked_campaign,
            list(empty.order_by("key")),
            computers=computers,
            unattended=unattended,
        )
        empty.filter(admiral="").update(admiral=COMPUTER)
        stage = war_start(campaign=locked_campaign, now=moment)
        due_announce(stage, moment)
    return stage


def _check_empty_seats(
    campaign: Campaign,
    empty: list[Faction],
    *,
    computers: Collection[str] | None,
    unattended: bool,
) -> None:
    """Raise NotAllowed if other factions have no player than the host expects.

    Args:
        empty: The factions without players.
        computers: See `campaign_begin`.
    """
    if not unattended and len(empty) == campaign.factions.count():
        raise NotAllowed(
            phrase("{}: fill a seat first, or choose a war of computer admirals only", NOBODY_PLAYS)
        )
    if computers is None:
        return
    unexpected = [faction.name for faction in empty if faction.key not in computers]
    if unexpected:
        names = join_names(unexpected)
        words = phrase("nobody plays {}: fill the seat, or leave it to a computer admiral", names)
        raise NotAllowed(words)


def empty_sheets_set(*, viewer: Viewer, sealed: bool) -> None:
    """Set whether the faction's sheets with nothing to decide are sealed automatically.

    Raises:
        NotFound: The viewer is not a player.
    """
    faction = require(viewer, play=True).faction
    if faction is not None:
        Faction.objects.filter(pk=faction.pk).update(seals_empty=sealed)


def seat_take(*, viewer: Viewer, faction: str, now: datetime | None = None) -> Membership:
    """Give the host a faction that has no players; taking it again returns the same seat.

    Raises:
        NotFound: The viewer is not a host.
        NotAllowed: The faction has players.
        RuleViolations: There is no such faction, or the host cannot take this seat.
    """
    campaign = require(viewer, host=True).campaign
    with transaction.atomic():
        locked_campaign = lock_campaign(campaign)
        row = faction_of(locked_campaign, faction)
        own_seat = Membership.objects.filter(user_id=viewer.user.pk, faction=row).first()
        if own_seat is not None:
            return own_seat
        if played_factions(locked_campaign).filter(pk=row.pk).exists():
            raise NotAllowed(phrase("this faction has players"))
        return seat_give(
            campaign=locked_campaign, user=viewer.user, role=Role.PLAYER, faction=row, now=_at(now)
        )


def seat_leave(*, viewer: Viewer, now: datetime | None = None) -> None:
    """Give up the viewer's seat; a host stays host.

    When a faction's last player leaves, a computer admiral takes over.

    Raises:
        NotAllowed: The viewer is only a host.
    """
    with transaction.atomic():
        locked_campaign = lock_campaign(viewer.campaign)
        parts = Membership.objects.filter(campaign=locked_campaign, user_id=viewer.user.pk).exclude(
            role=Role.HOST
        )
        if not parts.exists():
            raise NotAllowed(phrase("a host cannot leave the campaign"))
        part = parts.select_related("faction").get()
        loss = SeatLoss(LEAVE, SeatEndCause.LEFT_SEAT, part.role, part.faction)
        _seats_end(locked_campaign, [part], loss, actor=viewer.user, now=_at(now))


def seat_send_away(
    *, viewer: Viewer, name: str, reason: str = "", now: datetime | None = None
) -> None:
    """Remove a guest of the viewer's faction or, as its player, one of its staff, by user name.

    Raises:
        NotFound: There is no such guest or staff.
        NotAllowed: The viewer is staff, and so is the other user.
    """
    faction = require(viewer, play=True).faction
    with transaction.atomic():
        locked_campaign = lock_campaign(viewer.campaign)
        removable = Membership.objects.filter(
            campaign=locked_campaign, faction=faction, role__in=(Role.STAFF, Role.GUEST)
        )
        part = removable.select_related("user", "faction").filter(user__username=name).first()
        if part is None:
            raise NotFound(phrase("there is nobody with that name"))
        if part.role == Role.STAFF and Role.PLAYER not in viewer.roles:
            raise NotAllowed(phrase("only a player can remove staff"))
        loss = SeatLoss(LEAVE, SeatEndCause.SENT_AWAY, part.role, part.faction, reason=reason)
        _seats_end(locked_campaign, [part], loss, actor=viewer.user, now=_at(now))


def seats_run_out(*, now: datetime) -> int:
    """End the seats whose time is over, and return their number.

    A faction without a player left gets a computer admiral. While a campaign's stage is being
    resolved, its seats wait for the next tick; such a seat gives no access meanwhile.
    """
    run_out = Membership.objects.filter(until__lte=now).order_by("pk")
    ended_count = 0
    for key, campaign in list(run_out.values_list("pk", "campaign_id")):
        with suppress(StageClosed), transaction.atomic():
            locked_campaign = lock_campaign(Campaign(pk=campaign))
            part = run_out.select_related("user", "faction").filter(pk=key).first()
            if part is not None:
                loss = SeatLoss(LEAVE, SeatEndCause.RAN_OUT, part.role, part.faction)
                _seats_end(locked_campaign, [part], loss, actor=part.user, now=now)
                ended_count += 1
    return ended_count


def seat_to_computer(
    *,
    viewer: Viewer,
    faction: str,
    character: str = COMPUTER,
    unattended: bool = False,
    reason: str = "",
    now: datetime | None = None,
) -> Faction:
    """Let a computer admiral lead the faction, as host or umpire; its players lose their seats.

    If no faction has a player then, the clock stops.

    Args:
        unattended: Keep the clock running, so that computer admirals play the war to its end.

    Raises:
        NotFound: The viewer is neither host nor umpire.
        RuleViolations: The character or the faction is unknown.
    """
    if not (viewer.hosts or viewer.umpires):
        raise NotFound(phrase("there is no such campaign"))
    if violations := admiral_violations({faction: character}, [faction]):
        raise RuleViolations(violations)
    with transaction.atomic():
        locked_campaign = lock_campaign(viewer.campaign)
        row = faction_of(locked_campaign, faction)
        parts = Membership.objects.filter(
            campaign=locked_campaign, faction=row, role__in=FACTION_ROLES
        )
        loss = SeatLoss(
            verb=TO_COMPUTER,
            cause=SeatEndCause.COMPUTER,
            role=Role.PLAYER,
            faction=row,
            character=character,
            unattended=unattended,
            reason=reason,
        )
        _seats_end(
            locked_campaign, list(parts.order_by("pk")), loss, actor=viewer.user, now=_at(now)
        )
        row.refresh_from_db()
    return row


def seat_hand_over(
    *,
    campaign: Campaign,
    user: AbstractBaseUser,
    player: AbstractBaseUser,
    role: str = Role.PLAYER,
    faction: Faction | None,
    by: str,
    now: datetime,
) -> Membership:
    """Replace a faction's player, or an umpire, by another user.

    The caller's transaction has locked the campaign. The faction's drafts, sealed orders and
    plans stay unchanged. Raises RuleViolations, NotAllowed.
    """
    parts = Membership.objects.filter(
        campaign=campaign, faction=faction, user_id=player.pk, role=role
    )
    old_seats = list(parts.select_related("user", "faction", "campaign"))
    seat = seat_give(campaign=campaign, user=user, role=role, faction=faction, now=now)
    if old_seats:
        loss = SeatLoss(
            verb=LEAVE,
            cause=SeatEndCause.REPLACED,
            role=role,
            faction=faction,
            by=by,
            new=user.get_username(),
        )
        _seats_end(campaign, old_seats, loss, actor=user, now=now)
    return seat


def seat_give(
    *,
    campaign: Campaign,
    user: AbstractBaseUser,
    role: str,
    faction: Faction | None = None,
    until: datetime | None = None,
    now: datetime,
) -> Membership:
    """Give a user a seat. The caller's transaction has locked the campaign.

    In a running war this is recorded as an act, and users who had a seat on one side cannot take
    one on another.

    Args:
        until: When the seat ends.

    Raises:
        RuleViolations: The user cannot take this seat.
        NotAllowed: The user has seen another side's orders, or sits elsewhere in a war that shares
            its history, or is a bot where none are allowed.
    """
    if not bots_allowed(campaign) and is_bot(user):
        raise NotAllowed(phrase("this account is a bot, and the host of this campaign allows none"))
    if campaign.started_at is not None and _has_seen_other_side(campaign, user, faction):
        raise NotAllowed(
            phrase("you have seen another side's orders, so you cannot take this seat")
        )
    if seat_shows_rivals(campaign=campaign, user=user.pk, role=role, faction=faction):
        raise NotAllowed(OTHER_SIDE_OF_FAMILY)
    commands = role in FACTION_ROLES
    if commands and faction is not None:
        _forget_choices_of_former_players(campaign, faction)
    part = membership_add(campaign=campaign, user=user, role=role, faction=faction, until=until)
    SeatEnd.objects.filter(campaign=campaign, user_id=user.pk).delete()
    if faction is not None and role == Role.PLAYER:
        Faction.objects.filter(pk=faction.pk).update(admiral="")
    if campaign.started_at is not None:
        facts = _facts(role, faction, [part])
        stage = lock_open_stage(campaign)
        act_write(campaign=campaign, stage=stage, actor=user, verb=JOIN, facts=facts, now=now)
        if stage is not None and commands and stopped_for_players(campaign):
            clock_start(campaign=campaign, stage=stage, actor=user, now=now)
    return part


def _forget_choices_of_former_players(campaign: Campaign, faction: Faction) -> None:
    """Undo the choice to have empty sheets sealed, if nobody plays the faction any more."""
    if not played_factions(campaign).filter(pk=faction.pk).exists():
        Faction.objects.filter(pk=faction.pk).update(seals_empty=False)


def lock_campaign(campaign: Campaign) -> Campaign:
    """Return the current campaign, locked until the transaction ends."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def faction_of(campaign: Campaign, key: str) -> Faction:
    """Return a faction by its key. Raises RuleViolations."""
    row = Faction.objects.filter(campaign=campaign, key=key).first()
    if row is None:
        if key:
            words = phrase("no faction '{}'", key)
        else:
            words = phrase("choose a faction")
        raise RuleViolations([Violation("faction", "unknown-faction", words)])
    return row


def _seats_end(
    campaign: Campaign,
    parts: list[Membership],
    loss: SeatLoss,
    *,
    actor: AbstractBaseUser,
    now: datetime,
) -> None:
    """Delete seats and notify their owners. A faction without a player left gets its admiral.

    Its guests lose their seats, too. In a running war this is recorded as an act, and the clock
    stops if no faction has a player any more.
    """
    stage = None
    if campaign.started_at is not None:
        stage = lock_open_stage(campaign)
        act_write(
            campaign=campaign,
            stage=stage,
            actor=actor,
            verb=loss.verb,
            facts=_facts(loss.role, loss.faction, parts),
            reason=loss.reason,
            now=now,
        )
    for part in parts:
        seat_end_write(
            part=part,
            cause=loss.cause,
            actor=actor,
            by=loss.by,
            new=loss.new,
            reason=loss.reason,
            now=now,
        )
    Membership.objects.filter(pk__in=[part.pk for part in parts]).delete()
    played = set(played_factions(campaign).values_list("pk", flat=True))
    commanded = loss.role in FACTION_ROLES
    if commanded and loss.faction is not None and loss.faction.pk not in played:
        Faction.objects.filter(pk=loss.faction.pk).update(admiral=loss.character)
        _end_guest_seats(campaign, loss.faction, actor=actor, now=now)
    if stage is None:
        return
    lost_last_player = commanded and bool(parts) and not played
    if lost_last_player and not loss.unattended and campaign.paused_at is None:
        clock_stop(campaign=campaign, stage=stage, actor=actor, facts={UNPLAYED: True}, now=now)
    due_announce(stage, now)


def _end_guest_seats(
    campaign: Campaign, faction: Faction, *, actor: AbstractBaseUser, now: datetime
) -> None:
    """End the seats of the guests of a faction that nobody plays any more."""
    guests = Membership.objects.filter(campaign=campaign, faction=faction, role=Role.GUEST)
    parts = list(guests.select_related("campaign", "user", "faction").order_by("pk"))
    if parts:
        loss = SeatLoss(LEAVE, SeatEndCause.UNPLAYED, Role.GUEST, faction)
        _seats_end(campaign, parts, loss, actor=actor, now=now)


def _facts(role: str, faction: Faction | None, parts: list[Membership]) -> dict[str, Any]:
    """Return the facts of an act about seats: `people` are user ids, `names` their names then."""
    return {
        "role": role,
        "faction": "" if faction is None else faction.key,
        "people": [part.user_id for part in parts],
        "names": [part.user.get_username() for part in parts],
    }


def _has_seen_other_side(
    campaign: Campaign, user: AbstractBaseUser, faction: Faction | None
) -> bool:
    """Return whether the user had a seat that showed what this seat must not know.

    Seats in wars that share the history of this one count until they are over.
    """
    key = "" if faction is None else faction.key
    wars = [campaign, *unfinished_family_of(campaign)]
    for act in Act.objects.filter(campaign__in=wars, verb__in=(LEAVE, TO_COMPUTER)):
        facts = act.body["facts"]
        had_seat = user.pk in facts["people"]
        was_umpire = facts["role"] == Role.UMPIRE
        was_elsewhere = facts["role"] in ROLES_WITH_FACTION and facts["faction"] != key
        if had_seat and (was_umpire or was_elsewhere):
            return True
    return False


def _at(now: datetime | None) -> datetime:
    """Return the given moment, by default the present one."""
    return now or timezone.now()
