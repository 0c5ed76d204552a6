"""Tests of what lies in tools: scripts, which are put on the path where they are needed."""
