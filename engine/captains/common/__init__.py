"""What captains of both rulebooks share: movement, fire, retreat and threat assessment."""
