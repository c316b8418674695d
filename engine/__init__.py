"""The rules of battles as pure code: no Django, no clock, no disk, no network, no global random."""
