"""What reads for the umpire and the clock.

Player pages never come here: `campaign.sight` is their door.
"""
