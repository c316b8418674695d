"""Every formula by which a war is hashed: commitments, dice keys, salts, chains, ledger rows.

Nothing else in the program computes one of these, so a verifier needs this module alone (and
`engine.core.dice`, which turns a key into a die). The formulas never change: a war is checked years
later. A new formula gets a new function, which only wars of newer rules use.

Seeds and secrets are 32 bytes in hexadecimal, nonces are 16. A `dice_key` is the secret name of a
war in the keys of its dice. A branch is named by its number.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.canonical import canonical_json, digest, encode_floats
from engine.core.dice import KeyedDice
from engine.core.merkle import inclusion_proof, root_from_proof, tree_root

FIRST, KEY_TREE = 1, 2  # rules of dice
SECRET_BYTES = 32
NONCE_BYTES = 16

Names = list[str | int]
# By rules of dice 1: the beginning of the message of each die, whose key is the seed. By rules of
# dice 2: the names that lead from the seed to the key of these dice, one list for each step.
DiceContext = Names | list[Names]
AnyDice = TypeVar("AnyDice", bound=KeyedDice)

# The first parts of keys under the seed.
SCENARIO_SALT = "scenario-salt"
NONCE = "nonce"
LEDGER_SALT = "ledger-salt"
CHAIN_SALT = "battle-chain"
CAPTAIN_STREAM = "captains"
CONTACT_CODES = "contact-codes"
SIDES_STREAM = "tournament-sides"
FORMULAS_2 = "blindjump/2"  # first part of all keys since rows of schema 3, and of dice 2
TABLE_CHAIN = "table-chain"
# The last parts of the contexts of dice that are not a stage's own.
ADMIRAL_STREAM = "admiral"
TABLE_DICE = "table"


def commitment(secret: str) -> str:
    """Return the SHA-256 of a secret's bytes, published before the secret is used."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def keyed(secret: str, *key: str | int) -> bytes:
    """Return the HMAC-SHA256 of a canonical key."""
    return hmac.digest(bytes.fromhex(secret), canonical_json(list(key)), hashlib.sha256)


# What people seal


def server_nonce(
    seed: str, dice_key: str, branch: int, stage: int | str, faction: str, revision: int
) -> str:
    """Return the nonce of orders whose client made none.

    It follows from the seed, so the server cannot choose it.

    Args:
        stage: See `stage_place`.
    """
    key = (NONCE, dice_key, branch, stage, faction, revision)
    return keyed(seed, *key)[:NONCE_BYTES].hex()


def stage_place(ordinal: int, kind: str, battle: str = "") -> int | str:
    """Return a stage's place in its branch: its ordinal, or that of a phase with its battle.

    Args:
        battle: The key of the battle; empty for a stage of the week.
    """
    return f"{battle}/{kind}/{ordinal}" if battle else ordinal


def orders_digest(payload: Mapping[str, Any], nonce: str, share: str | None = None) -> str:
    """Return the digest on a receipt: SHA-256 of the orders' canonical JSON and the nonce's bytes.

    A number with a fraction (a point at which ordnance is aimed) is encoded as a text that names it
    exactly.

    Args:
        share: Of the client, if it made one: its SHA-256 follows the nonce.
    """
    sealed = canonical_json(encode_floats(payload)) + bytes.fromhex(nonce)
    if share:
        sealed += hashlib.sha256(bytes.fromhex(share)).digest()
    return hashlib.sha256(sealed).hexdigest()


def nonce_of_word(word: str) -> str:
    """Return the nonce of orders that can be unsealed with a word.

    Only who knows the word can show that the orders were unsealed on purpose.

    Args:
        word: 32 random bytes of the client in hexadecimal.
    """
    return hashlib.sha256(bytes.fromhex(word)).hexdigest()[: 2 * NONCE_BYTES]


def digest_root(digests: Sequence[str]) -> str:
    """Return one hash over the digests of all factions, in faction order."""
    return hashlib.sha256(canonical_json(list(digests))).hexdigest()


# Dice of both rules


def key_of(seed: str, path: Sequence[Names]) -> bytes:
    """Return the key to which a path of names leads, one HMAC for each step."""
    key = bytes.fromhex(seed)
    for names in path:
        key = hmac.digest(key, canonical_json(names), hashlib.sha256)
    return key


def path_of(context: Any) -> list[Names] | None:
    """Return the path of a context of dice 2; None if it is one of dice 1."""
    if context and all(isinstance(names, list) for names in context):
        return list(context)
    return None


def die_key(seed: str, context: DiceContext) -> tuple[bytes, Names | None]:
    """Return the key of the dice of a context, and what their messages begin with (dice 1).

    Raises:
        ValueError: It is not a context of either rules.
    """
    path = path_of(context)
    if path is not None:
        return key_of(seed, path), None
    names = [part for part in context if not isinstance(part, list)]
    if len(names) != len(context):
        raise ValueError("this is not the context of dice")
    return bytes.fromhex(seed), names


def keyed_dice(seed: str, context: DiceContext, kind: type[AnyDice]) -> AnyDice:
    """Return dice of a kind for a context of either rules."""
    return kind(*die_key(seed, context))


def dice_of(seed: str, context: DiceContext) -> KeyedDice:
    """Return the dice of a context of either rules."""
    return keyed_dice(seed, context, KeyedDice)


# Dice 1


def stage_context(
    dice_key: str, branch: int, week: int, kind: str, digests: Sequence[str]
) -> Names:
    """Return the context of a stage's dice, which its digests bind to the orders."""
    return [dice_key, branch, week, kind, digest_root(digests)]


def battle_place(battle: str) -> str:
    """Return the place of a battle's dice among those of its stage."""
    return f"battle/{battle}"


def phase_place(battle: str, number: int) -> str:
    """Return the place of the dice of a phase that players ordered."""
    return f"{battle_place(battle)}/stop/{number}"


def admiral_context(dice_key: str, branch: int, week: int, kind: str) -> Names:
    """Return the context of the admirals' own dice, which the orders do not change."""
    return [dice_key, branch, week, kind, ADMIRAL_STREAM]


def table_context(dice_key: str, branch: int, week: int, hex_: str) -> Names:
    """Return the context of the dice that the site rolls for a battle at a table."""
    return [dice_key, branch, week, TABLE_DICE, hex_]


def captain_seed(seed: str, dice_key: str, branch: int, week: int, battle: str) -> str:
    """Return the seed of the captains' own random stream in a battle, separate from all dice."""
    return keyed(seed, CAPTAIN_STREAM, dice_key, branch, week, battle).hex()


def contact_salt(seed: str, dice_key: str, branch: int) -> bytes:
    """Return the salt of the codes under which sides know foreign ships in battles."""
    return keyed(seed, CONTACT_CODES, dice_key, branch)


def sides_are_swapped(seed: str, dice_key: str) -> bool:
    """Return whether the first player of a pair in a tournament takes the second side."""
    return keyed(seed, SIDES_STREAM, dice_key)[0] % 2 == 1


# Dice 2: names of the keys directly under the seed. `entropy` is the link of the entropy chain.


def stage_names(dice_key: str, ordinal: int, kind: str, entropy: str) -> Names:
    """Return the names of a stage's key, under which the keys of its week and battles are."""
    return [FORMULAS_2, "stage", dice_key, ordinal, kind, entropy]


def phase_names(dice_key: str, week: int, battle: str, number: int, entropy: str) -> Names:
    """Return the names of the key of a phase that players ordered."""
    return [FORMULAS_2, "stop", dice_key, week, battle, number, entropy]


def table_names(dice_key: str, week: int, battle: str, entropy: str) -> Names:
    """Return the names of the key of the dice that the site rolls for a battle at a table."""
    return [FORMULAS_2, "table", dice_key, week, battle, entropy]


def filled_nonce(
    seed: str, dice_key: str, branch: int, place: int | str, faction: str, revision: int
) -> str:
    """Return the nonce of orders whose client made none, as `server_nonce` does by dice 1."""
    path: list[Names] = [choice_names(dice_key, branch, place), [NONCE, faction, revision]]
    return key_of(seed, path)[:NONCE_BYTES].hex()


def entropy_in(context: DiceContext) -> str:
    """Return the entropy in the first names of a context of dice 2."""
    path = path_of(context)
    if path is None:
        raise ValueError("a context of dice 1 holds no entropy")
    return str(path[0][-1])


def choice_names(dice_key: str, branch: int, place: int | str) -> Names:
    """Return the names of the key for what computers choose and for what the server fills in.

    No dice of the game have this key.

    Args:
        place: See `stage_place`; the key of a battle for its captains.
    """
    return [FORMULAS_2, "choice", dice_key, branch, place]


# Battles


def chain_salt(seed: str, dice_key: str, branch: int, week: int, battle: str) -> str:
    """Return the salt of a battle's chain.

    Without it, participants could guess what they do not know of the others until the hashes match.
    """
    return keyed(seed, CHAIN_SALT, dice_key, branch, week, battle).hex()


def chain_begin(salt: str, start: Mapping[str, Any]) -> str:
    """Return the hash before a battle's first phase: that of its start, with a salt."""
    return digest([salt, encode_floats(start)])


def chain_link(last: str, phase: Mapping[str, Any]) -> str:
    """Return the hash of a phase {inputs, events, views}, chained onto the one before.

    Floats count exactly.
    """
    return digest([last, encode_floats(phase)])


# The ledger


def scenario_salt(seed: str, dice_key: str) -> str:
    """Return the salt of a war's commitment to its scenario.

    It is published after the war. It follows from the seed, so the server cannot choose it, and the
    seed cannot be computed from it.
    """
    return keyed(seed, SCENARIO_SALT, dice_key).hex()


def scenario_commitment(sha256: str, salt: str) -> str:
    """Return the public commitment to a scenario, which hides its secret objectives.

    Without the salt, an outsider could try likely objectives until the hash of one matches.
    """
    return digest([salt, sha256])


def genesis_hash(parts: Mapping[str, Any]) -> str:
    """Return the hash before the first row of a ledger."""
    return digest(dict(parts))


def outcome_salt(seed: str, dice_key: str, branch: int, ordinal: int) -> str:
    """Return the salt of a stage's outcome, which cannot be guessed until the seed is published."""
    return keyed(seed, LEDGER_SALT, dice_key, branch, ordinal).hex()


def outcome_root(salt: str, leaves: Mapping[str, Any]) -> str:
    """Return the salted root of a stage's results, by the names of the leaves."""
    return digest([salt, dict(leaves)])


def row_hash(prev_hash: str, body: Mapping[str, Any]) -> str:
    """Return the hash that chains a row onto the one before."""
    return digest([prev_hash, dict(body)])


def end_row(
    *, branch: int, size: int, root: str, seed: str, act: str
) -> dict[str, str | int | dict[str, str | int]]:
    """Return the body of the last row of a ledger, which publishes the seed after the war.

    Args:
        size: The number of rows before it.
        root: Of RFC 9162 over the hashes of these rows, in hexadecimal.
        act: The digest of the act that published the seed.
    """
    return {
        "schema": END_SCHEMA,
        "kind": "end",
        "branch": branch,
        "seq": size,
        "head": {"size": size, "root": root},
        "seed": seed,
        "act": act,
    }


# Rows of schema 3

END_SCHEMA = 1  # of the last row of a ledger
SLOTS = 256  # leaves of an outcome
MANY_SLOTS = 512  # in scenarios with more systems than the next line says
MANY_SYSTEMS = 60
REST = "rest"  # the leaf of all that finds no place


def slots_of(systems: int) -> int:
    """Return how many leaves the outcomes of a war have, by the number of its star systems.

    The ledger begins with a commitment to the scenario, so nobody can choose it later.
    """
    return MANY_SLOTS if systems > MANY_SYSTEMS else SLOTS


def server_share(seed: str, dice_key: str, branch: int, place: int | str, faction: str) -> str:
    """Return the 32 random bytes of a faction whose client sent none.

    They follow from the seed, so the server cannot choose them.

    Args:
        place: See `stage_place`.
    """
    choice = keyed(seed, *choice_names(dice_key, branch, place)).hex()
    return keyed(choice, "share", faction).hex()


def unsealed_digest(seed: str, dice_key: str, branch: int, ordinal: int, faction: str) -> str:
    """Return what the last row of an abandoned timeline has for a faction that had not sealed.

    It looks like a digest of orders, so the row does not reveal who had sealed.
    """
    choice = keyed(seed, *choice_names(dice_key, branch, ordinal)).hex()
    return keyed(choice, "unsealed", faction).hex()


def entropy_link(
    last: str, number: int, digests: Sequence[str], shares: Sequence[str], beacon: str = ""
) -> str:
    """Return the hash of all that people gave up to a stage, chained onto the stage before.

    Args:
        last: The link of the row before; the hash of that row if it has none; the genesis at first.
        number: The row's number.
        beacon: A public random value; empty if the war has none.
    """
    return digest([last, number, digest_root(digests), list(shares), beacon])


def entropy_begin(genesis_parts: Mapping[str, Any], rules: int) -> str:
    """Return the link before the first row.

    By rules of dice 2 the public id of the war is left out, so that a war can be repeated. Its
    `dice_key` is not: it is that id unless another key was chosen.

    Args:
        genesis_parts: See `genesis_hash`.
        rules: Of the war's dice.
    """
    left_out = ("campaign",) if rules >= KEY_TREE else ()
    return digest({key: part for key, part in genesis_parts.items() if key not in left_out})


def entropy_of_branch(last: str, number: int, opening: Mapping[str, Any]) -> str:
    """Return the link with which a branch of new dice begins, after that of the row it starts from.

    Args:
        number: The branch's number.
        opening: What its first row says of it.
    """
    return digest([last, "branch", number, digest(dict(opening))])


def table_chain_begin(seed: str, dice_key: str, branch: int, week: int, battle: str) -> str:
    """Return the hash before the first entry of a table's record, which nobody can guess."""
    return keyed(seed, FORMULAS_2, TABLE_CHAIN, dice_key, branch, week, battle).hex()


def table_chain_link(last: str, entry: Mapping[str, Any]) -> str:
    """Return the hash of an entry {number, faction, key, body, visible_body, at} of a record."""
    return digest([last, encode_floats(dict(entry))])


@dataclass(frozen=True, slots=True)
class OutcomeKeys:
    """The two keys of a row's outcome, in hexadecimal.

    Attributes:
        blind: Makes what hides the leaves.
        place: Decides on their places, so that these say nothing.
    """

    blind: str
    place: str


def outcome_keys(seed: str, dice_key: str, branch: int, seq: int) -> OutcomeKeys:
    """Return the keys of the outcome of a row."""
    blind = keyed(seed, FORMULAS_2, "blind", dice_key, branch, seq).hex()
    place = keyed(seed, FORMULAS_2, "place", dice_key, branch, seq).hex()
    return OutcomeKeys(blind, place)


@dataclass(frozen=True, slots=True)
class OutcomeTree:
    """The leaves of a row's outcome in their places, as the Merkle tree of RFC 9162 hashes them.

    Attributes:
        names: With those of padding, `pad/0` and so on.
        leaves: The data of each leaf.
    """

    names: tuple[str, ...]
    leaves: tuple[bytes, ...]

    @property
    def root(self) -> str:
        """Return the root, which is the row's outcome."""
        return tree_root(self.leaves).hex()

    def proof_of(self, name: str) -> tuple[int, list[str]]:
        """Return the place of a leaf and the hashes that prove it. Raises ValueError."""
        index = self.names.index(name)
        return index, [hash_.hex() for hash_ in inclusion_proof(self.leaves, index)]


def outcome_tree(keys: OutcomeKeys, leaves: Mapping[str, str], slots: int) -> OutcomeTree:
    """Return the tree over digests by the names of their leaves.

    All trees of a war have as many leaves, so that their number does not reveal how many battles
    there were. If there are too many, the first ones by name share a leaf.
    """
    placed = with_padding(leaves, slots)
    names = sorted(placed, key=lambda name: keyed(keys.place, name))
    data = [outcome_leaf(leaf_blind(keys.blind, name), name, placed[name]) for name in names]
    return OutcomeTree(tuple(names), tuple(data))


def with_padding(leaves: Mapping[str, str], slots: int) -> dict[str, str]:
    """Return exactly as many leaves as a tree has; padding has an empty digest."""
    names = sorted(leaves)
    surplus = names[: len(names) - slots + 1] if len(names) > slots else []
    placed = {name: leaves[name] for name in names[len(surplus) :]}
    if surplus:
        placed[REST] = digest([[name, leaves[name]] for name in surplus])
    for number in range(slots - len(placed)):
        placed[f"pad/{number}"] = ""
    return placed


def leaf_blind(key: str, name: str) -> str:
    """Return the 32 bytes that hide a leaf; without them, its digest could be guessed."""
    return keyed(key, name).hex()


def outcome_leaf(blind: str, name: str, leaf_digest: str) -> bytes:
    """Return the data of a leaf; the tree hashes it with a zero byte before it."""
    return bytes.fromhex(blind) + canonical_json([name, leaf_digest])


def outcome_from_proof(leaf: bytes, index: int, slots: int, proof: Sequence[str]) -> str:
    """Return the outcome that follows from a leaf and its proof.

    Raises:
        ValueError: The proof is not one of a leaf at this place.
    """
    return root_from_proof(leaf, index, slots, [bytes.fromhex(hash_) for hash_ in proof]).hex()
