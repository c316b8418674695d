"""Computer admirals: (View, doctrine, dice) to orders. They never see a World."""
