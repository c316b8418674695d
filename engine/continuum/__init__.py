"""What Continuum alone does: its sequence of play, fire, defences, checks, damage control and
movement.
"""
