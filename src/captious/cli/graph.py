"""captious graph: the objects, attributes and relations that a caption speaks of."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious.cli.output import note
from captious.cli.terminal import show
from captious.errors import InputError
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.json import json_text
from captious.report.scene_graph_rendering import draw_scene_graph, render_scene_graph
from captious.text.scene.scene_graph import scene_graph

DESCRIPTION = """Show the scene graph that SPICE reads from a caption, or from several captions of
one image together, as text, JSON or a drawing."""
EXAMPLES = """examples:
  captious graph "a dog on a bench"
  captious graph "a dog on a bench" "a brown dog sits outside" --output graph.svg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("captions", nargs="+", metavar="CAPTION", help="a caption, in quotes")
    parser.add_argument("--output", metavar="FILE", help="write the drawing to this .svg file")


def run(options: argparse.Namespace) -> None:
    """Print the graph, and draw it if asked."""
    if options.output is not None:
        if Path(options.output).suffix.lower() != ".svg":
            raise InputError(f"{options.output}: drawings are SVG; name a file that ends in .svg")
        check_writable(options.output)
    graph = scene_graph(options.captions)
    if not graph.objects:
        note(options, "no objects: the graph is empty")
    if options.output is not None:
        with atomic_write(options.output) as stream:
            stream.write(draw_scene_graph(graph).encode("utf-8", "replace"))
    if options.format == "json":
        show(json_text(graph.to_dict(), indent=2))
    else:
        show(render_scene_graph(graph, options.format))
