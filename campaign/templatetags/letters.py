"""What the tabs of a campaign say of messages: `{% messages_of viewer as letters %}`.

In every template by itself.
"""

from __future__ import annotations

from django import template

from campaign.web.letters import letters_of

register = template.Library()
register.simple_tag(letters_of, name="messages_of")
