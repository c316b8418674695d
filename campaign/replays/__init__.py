"""Replays of battles as plain values, from what one side was told, or from the truth. Pure."""
