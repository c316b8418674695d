"""The page behind the unsubscribe link in every email; it needs no login."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaign.services.mails import mail_stop, mail_stop_user


@csrf_exempt  # mail programs post here (RFC 8058); the signed address is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to turn off emails, and turn them off when the form is sent."""
    user = mail_stop_user(token)
    if user is None:
        raise Http404
    is_sent = request.method == "POST"
    if is_sent:
        mail_stop(user=user)
    context = {"stopped": is_sent, "name": user.get_username()}
    return render(request, "campaign/emails_off.html", context)


urlpatterns: list[URLPattern | URLResolver] = [
    path("mail/stop/<str:token>/", stop, name="mail-stop")
]
