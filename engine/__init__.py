"""The rules of a battle, pure: no Django, no clock, no disk, no network, no global random."""
