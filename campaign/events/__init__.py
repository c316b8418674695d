"""The typed events of a week of the war.

The sentences for each event are in `campaign.words.week`.
"""
