"""An issue of the newspaper by mail: the page that asks, and the background job that sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import translation
from django.views.decorators.http import require_http_methods

from campaign.access import Viewer, viewer_of
from campaign.errors import NotFound, NoViewer
from campaign.pages.week.gazette import issue_pdf
from campaign.services.gazette_mails import address_of, gazette_mail_request
from campaign.services.mails import mail_pdf_send
from campaign.services.preferences import preference_of
from campaign.web.common import count_heavy_request, member_page, show
from campaign.web.gazette_issues import editions_for, issue_for
from campaign.web.gazette_pdf import issue_text
from campaign.web.tabs import tabs
from campaign.words.languages import in_language
from engine.core.phrase import phrase


@member_page
@require_http_methods(("GET", "HEAD", "POST"))
def gazette_by_mail(request: HttpRequest, viewer: Viewer, week: int) -> HttpResponse:
    """Ask whether an issue shall be sent to the reader's address, and let a worker send it.

    Raises:
        NotFound: If the viewer does not get this edition or week.
    """
    edition = request.GET.get("for", editions_for(viewer)[0])
    issue, _ = issue_for(viewer, edition, week)
    address = address_of(viewer)
    if request.method != "POST" or not address:
        shared = tabs(viewer, "gazette")
        return show(
            request, "gazette_mail", issue=issue, edition=edition, address=address, **shared
        )
    count_heavy_request(request)
    gazette_mail_request(viewer=viewer, edition=edition, week=week)
    messages.success(request, phrase("The issue will be sent to {}.", address))
    page = reverse("gazette-week", kwargs={"c": viewer.campaign.public_id, "week": week})
    return redirect(f"{page}?for={edition}")


def mail_issue(args: Mapping[str, Any]) -> dict[str, int]:
    """Send an issue to its reader and return the number of mails: 0 if it is not theirs any more.

    Args:
        args: The `user`, the public id of the `campaign`, the `edition` and the `week`.
    """
    user = get_user_model().objects.filter(pk=args["user"], is_active=True).first()
    if user is None:
        return {"sent": 0}
    with translation.override(preference_of(user).message_language):
        try:
            viewer = viewer_of(user, args["campaign"], guest=True)
            issue, _ = issue_for(viewer, args["edition"], args["week"])
        except (NotFound, NoViewer):
            return {"sent": 0}
        address = address_of(viewer)
        if not address:
            return {"sent": 0}
        page = reverse("gazette-week", kwargs={"c": viewer.campaign.public_id, "week": issue.week})
        title = phrase("{}: {}, week {}", viewer.campaign.name, issue.title, issue.week)
        mail_pdf_send(
            user=user,
            address=address,
            body=f"{in_language(title)}\n\n{in_language(issue_text(issue))}",
            path=f"{page}?for={args['edition']}",
            pdf=issue_pdf(viewer, issue, args["edition"], "a4"),
            file_name=f"gazette-{issue.week}.pdf",
        )
    return {"sent": 1}


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/gazette/<int:week>/mail/", gazette_by_mail, name="gazette-mail"),
]
