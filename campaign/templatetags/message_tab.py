"""What the tabs of a campaign say of messages: `{% messages_of viewer as letters %}`.

In every template by itself.
"""

from __future__ import annotations

from django import template

from campaign.web.message_tab import message_tab

register = template.Library()
register.simple_tag(message_tab, name="messages_of")
