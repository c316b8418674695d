"""The messages tab of a campaign: `{% messages_of viewer as tab %}`, without `{% load %}`."""

from __future__ import annotations

from django import template

from campaign.web.message_tab import message_tab

register = template.Library()
register.simple_tag(message_tab, name="messages_of")
