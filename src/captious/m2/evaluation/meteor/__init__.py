"""METEOR under the names of the meshed-memory transformer."""

from captious.m2.evaluation.meteor.meteor import Meteor

__all__ = ["Meteor"]
