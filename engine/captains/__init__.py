"""Computer captains: they fight battles for sides without a player, from what that side can see."""
