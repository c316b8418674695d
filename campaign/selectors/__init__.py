"""Queries for the umpire and the clock.

Player pages use `campaign.sight` instead.
"""
