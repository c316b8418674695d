"""Orders of a week: one file a kind, and what reads the list of them (`campaign.orders.registry`)."""
