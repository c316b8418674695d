"""Phasers: lasers and particle beams in one mount, which advanced fire control also aims at single systems."""

from __future__ import annotations

from engine.dice import Dice
from engine.rolls import D3, SEMI, Effect, Shot, beam_hits, dice_in_range, hit_dice

NEEDLE = "needle"  # its way of firing like a needle beam of its class


def phaser(shot: Shot, dice: Dice) -> Effect:
    """Beam dice; each hit is a D3 of semi-armour piercing damage. Rules: Continuum "Phasers" 5.8 [pc.phasers]"""
    thrown, hits = beam_hits(dice_in_range(shot.size, shot.distance), shot, dice)
    damage, wounds = hit_dice(hits, shot, dice, SEMI, D3)
    return Effect(thrown, damage, wounds)
