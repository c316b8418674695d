"""The weekly newspaper: what a reader was told of a week, as stories by place. Pure: what he knows in, words out."""
