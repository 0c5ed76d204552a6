"""captious graph: the objects, attributes and relations that a caption speaks of."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.cli.output import add_output_options, note
from captious.cli.terminal import show
from captious.errors import InputError
from captious.files.json_text import json_text
from captious.files.text_files import check_writable, written_whole
from captious.report.scene_graph_svg import draw
from captious.report.scene_graph_text import render_scene_graph
from captious.scene import scene_graph

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """examples:
  captious graph "a dog on a bench"
  captious graph "a dog on a bench" "a brown dog sits outside" --output graph.svg
"""


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "graph",
        help="show a caption's objects, attributes and relations",
        description=(
            "Show the scene graph that SPICE reads from a caption, or from several captions of one "
            "image together, as text, JSON or a drawing."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("captions", nargs="+", metavar="CAPTION", help="a caption, in quotes")
    parser.add_argument("--output", metavar="FILE", help="write the drawing to this .svg file")
    add_output_options(parser)
    parser.set_defaults(run=run)


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
        with written_whole(options.output) as stream:
            stream.write(draw(graph).encode("utf-8", "replace"))
    if options.format == "json":
        show(json_text(graph.to_dict(), indent=2))
    else:
        show(render_scene_graph(graph, options.format))
