"""Addresses of the host's and the umpire's API. `<c>`: a campaign's public id.

    POST   /api/campaigns/<c>/start/                              host: the war begins
    GET    /api/campaigns/<c>/umpire/world/                       the truth, whole (?seq= an earlier snapshot)
    GET    /api/campaigns/<c>/umpire/fleets/ ships/ systems/ repairs/    lists: ?search= ?hex= ?faction= ?page= ...
    GET    /api/campaigns/<c>/umpire/stages/                      every stage, and who has sealed it
    GET    /api/campaigns/<c>/umpire/submissions/                 the sealed entries of a stage with their orders: ?stage=n
    GET    /api/campaigns/<c>/umpire/battles/                     battles with their results
    GET    /api/campaigns/<c>/umpire/factions/<key>/view/         what a faction knows (?week=&stage=)
    POST   /api/campaigns/<c>/umpire/resolve/                     close the stage now {stage}
    POST   /api/campaigns/<c>/umpire/extend/                      give more time {stage, hours or closes}
    POST   /api/campaigns/<c>/umpire/pause/  resume/              stop and start the clock
    POST   /api/campaigns/<c>/umpire/excuse/                      nobody waits for a faction in a week {faction, week}
"""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
