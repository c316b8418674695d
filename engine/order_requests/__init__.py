"""What a stop of a battle asks of a side: an ask a module."""
