"""All that a faction may know. This package reads only View and Report rows.

`views` has what the faction sees of the world now and earlier, `reports` its reports of stages and
battles. An outcome is available once it is public (`campaign.store.publication`).
"""
