"""What happens in a week of the war, typed.

The sentences of each event are in `campaign.words.week`.
"""
