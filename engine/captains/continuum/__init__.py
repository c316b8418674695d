"""Captains of Continuum."""
