"""The rules that only Continuum has.

They cover its sequence of play, fire, defences, checks, damage control and movement.
"""
