"""Texts of allauth that our catalogues translate differently.

allauth's German says Sie where this site says du, its button reads like a heading, and its French
uses another word for a user name. All other texts stay allauth's. Texts for features that the site
does not offer (codes by e-mail or telephone, security keys) are not listed.
"""

from __future__ import annotations

TEXTS = (
    "Sign In",
    "This mail can be safely ignored if you did not initiate this action.",
    "If you do not recognize this change then please take proper security precautions "
    "immediately. The change to your "
    "account originates from:\n\n- IP address: %(ip)s\n- Browser: %(user_agent)s\n- Date: "
    "%(timestamp)s",
    "You are receiving this mail because the following change was made to your account:",
    "Your email has been changed from %(from_email)s to %(to_email)s.",
    "Your email has been confirmed.",
    "To confirm this is correct, go to %(activate_url)s",
    "You're receiving this email because user %(user_display)s has given your email address to "
    "register an account on "
    "%(site_domain)s.",
    "Email address %(deleted_email)s has been removed from your account.",
    "Your password has been reset.",
    "Your password has been set.",
    "If it was you, you can sign up for an account using the link below.",
    "You are receiving this email because you, or someone else, tried to access an account with "
    "email %(email)s. "
    "However, we do not have any record of such an account in our database.",
    "You cannot add an email address to an account protected by two-factor authentication.",
    "You cannot deactivate two-factor authentication.",
    "You cannot generate recovery codes without having two-factor authentication enabled.",
    "Username can not be used. Please use other username.",
    "The username and/or password you specified are not correct.",
    "Save them  in a secure location now — they won't be shown again.",
)
