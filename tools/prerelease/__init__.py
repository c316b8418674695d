"""Moves a site that ran a commit from before release 1.0.0; see docs/operating/upgrading.md."""

# The rules of the first release. A moved war goes on by them, because later versions change what
# its ships cost and how its battles are set up.
FIRST_RULES = "1.0"
