"""Moves a site that ran a commit from before release 1.0.0; see docs/operating/upgrading.md."""
