"""The only door to what a faction may know. It loads View and Report rows and nothing else.

`views`: what it sees of the world, now and then; `reports`: what it was told of stages and battles.
What came of a stage is not there before it is public (`campaign.store.publication`).
"""
