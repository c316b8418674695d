"""The sentences of the week's events for factions, newspaper and umpire, by class."""
