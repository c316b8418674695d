"""The sentences of events of a week: for the factions, the newspaper and the umpire, side by side
for each class.
"""
