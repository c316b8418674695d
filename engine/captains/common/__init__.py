"""What captains of either rulebook share: how they move, fire, flee and judge the enemy."""
