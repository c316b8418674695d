"""Captains of the second edition."""
