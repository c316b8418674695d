"""The deadlines of all of a user's campaigns as a calendar (iCalendar). It tells what the campaigns' pages tell anyone.

The same deadlines give the same bytes: nothing in them depends on when they are asked for, nor on how long a stage took
to resolve.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone
from icalendar import Alarm, Calendar, Event

from campaign import models
from campaign.publication import waiting

PRODUCT = "-//Blind Jump//deadlines//EN"
# stage kind -> what closes
TITLES = {
    "deploy": "deployment closes",
    "orders": "orders of week {week} close",
    "decisions": "decisions of week {week} close",
    "battles": "battles of week {week} close",
}
REMIND = timedelta(hours=-24)
REFRESH = timedelta(hours=1)


def calendar_of(user: AbstractBaseUser) -> bytes:
    """The calendar: one event for every campaign whose stage has a deadline, until the next stage opens."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Blind Jump")
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    stages = models.Stage.objects.filter(
        waiting(timezone.now()), branch__headed__memberships__user_id=user.pk, closes__isnull=False
    ).select_related("branch__campaign")
    for stage in stages.distinct().order_by("closes", "pk"):
        calendar.add_component(_event(stage))
    return bytes(calendar.to_ical())


def _event(stage: models.Stage) -> Event:
    campaign = stage.branch.campaign
    title = f"{campaign.name}: {TITLES[stage.kind].format(week=stage.week)}"
    event = Event()
    event.add("uid", f"{campaign.public_id}-{stage.branch.number}-{stage.ordinal}@blindjump")
    event.add("dtstamp", stage.opens)
    event.add("dtstart", stage.closes)
    event.add("summary", title if campaign.paused_at is None else f"{title} (paused)")
    event.add("status", "CONFIRMED" if campaign.paused_at is None else "TENTATIVE")
    event.add("transp", "TRANSPARENT")
    if settings.SITE_URL:
        event.add("url", f"{settings.SITE_URL}/c/{campaign.public_id}/")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", title)
    alarm.add("trigger", REMIND)
    event.add_component(alarm)
    return event
