"""METEOR."""

from __future__ import annotations

from captious.pycocoevalcap.meteor import meteor


class Meteor(meteor.Meteor):
    """METEOR 1.5."""

    def __str__(self) -> str:
        return "METEOR"
