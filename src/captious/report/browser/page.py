"""A page that opens in a browser, offline and alone: one file with its data, styles and script."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path
from string import Template

from captious.errors import InputError, short_repr
from captious.io.atomic_files import atomic_write, check_writable
from captious.report.browser.container import pack_contents, replace_surrogates
from captious.report.browser.contents import Contents

ENDINGS = (".html", ".htm")
ASSETS = Path(__file__).parent / "assets"
STYLES = ("base", "overview", "samples", "sample", "plots", "print")
# In the order in which they are read: each uses what is above it; the last starts the page.
SCRIPTS = (
    "elements",
    "numbers",
    "container",
    "contents",
    "quantities",
    "people",
    "search",
    "selection",
    "texts",
    "boards",
    "axes",
    "distributions",
    "scatter",
    "buckets",
    "notes",
    "picker",
    "conditions",
    "filters",
    "list",
    "scores",
    "scenes",
    "sample",
    "theme",
    "views",
    "keyboard",
    "start",
)
# What a page may do, and nothing else: run its own script, wear its own styles, show images.
POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src 'self' data: file:; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_PICTURE = re.compile(r"data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}")
# Browsers overlook blanks before a scheme, and controls anywhere in it.
_ELSEWHERE = re.compile(r"^ *([A-Za-z][A-Za-z0-9+.\-]*:|[/\\]{2})|[\x00-\x1f]")


def check_page(path: str | Path) -> None:
    """Raise an error, before any work, if the page cannot be written."""
    if not str(path).lower().endswith(ENDINGS):
        raise InputError(f"{path}: name the file .html")
    check_writable(path)


def write_page(path: str | Path, contents: Contents) -> None:
    """Write the page, whole or not at all."""
    text = page_html(contents)
    with atomic_write(path) as stream:
        stream.write(text.encode("utf-8"))


def page_html(contents: Contents) -> str:
    """Return the page as HTML; equal contents give equal text."""
    _check_images(contents)
    style = "\n".join(_asset(f"{name}.css") for name in STYLES)
    # Within braces, so that nothing of it becomes a name of the window.
    script = "\n".join(['"use strict";{', *(_asset(f"{name}.js") for name in SCRIPTS), "}"])
    return Template(_asset("page.html")).substitute(
        policy=POLICY.format(script=_hash(script), style=_hash(style)),
        title=html.escape(replace_surrogates(contents.title)),
        style=style,
        script=script,
        data=pack_contents(contents),
    )


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _check_images(contents: Contents) -> None:
    """Raise an error for images that are neither embedded nor files beside the page."""
    for row, address in enumerate(contents.images or ()):
        if _ELSEWHERE.search(address) and not _PICTURE.fullmatch(address):
            raise InputError(
                f"sample {short_repr(contents.ids[row])}: {short_repr(address)} is no address "
                "of an image "
                "that a page shows; give a PNG, JPEG, WebP or GIF as data:image/..., "
                "or a path relative to the page"
            )
