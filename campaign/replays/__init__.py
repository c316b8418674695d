"""Replays of battles as plain values, from what one side saw or from the truth. Pure functions."""
