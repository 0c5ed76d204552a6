"""Sphinx's settings. `make docs` builds the site; documentation.md says how."""

from __future__ import annotations

from captious.version import __version__

project = "Captious"
version = release = __version__
author = "the authors of Captious"
copyright = "the authors of Captious, Apache-2.0"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # links to headings are those of the forges
default_role = "code"  # docstrings write names between single backticks
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
smartquotes = False  # what is typed is shown as it is typed
# Of a TOML file with a comment or a transcript, a lexer need not understand every line.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "Captious"
html_static_path = ["_static"]
html_css_files = ["captious.css"]
html_show_sphinx = False
html_copy_source = False
