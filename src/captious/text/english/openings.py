"""How English captions begin that speak of the picture, and how answers to a user begin."""

from __future__ import annotations

import re

_PICTURE = r"(?:image|picture|photo|photograph|pic|snapshot|scene|frame|video|clip|audio|recording)"
_SHOWS = (
    r"(?:shows|showing|depicts|depicting|features|featuring|captures|capturing|displays|displaying"
    r"|presents|presenting|portrays|portraying|illustrates|contains|showcases|showcasing|of|is)"
)
# "The image shows", "A close-up photo of", "In this picture", "This is an image of".
ABOUT_THE_PICTURE = re.compile(
    rf"\A\W*(?:(?:the|this|an?|these)\s+(?:[\w-]+\s+){{0,4}}?{_PICTURE}s?\s+{_SHOWS}\b"
    rf"|in\s+(?:the|this)\s+{_PICTURE}\b"
    rf"|(?:this|it)\s+is\s+an?\s+(?:[\w-]+\s+){{0,3}}?{_PICTURE}\b)",
    re.IGNORECASE,
)
# "Sure, here is a caption", "I'm sorry, but I can't", "Caption:".
ANSWERS = re.compile(
    r"\A\W*(?:sure|certainly|absolutely|of\s+course|okay|ok)\b\s*[,!:.]"
    r"|\A\W*here(?:'s|\u2019s|\s+is|\s+are)\s+(?:the|an?|your|some|\w+)\s+(?:\w+\s+){0,2}?"
    r"(?:caption|description|answer|sentence)s?\b"
    r"|\A\W*(?:i(?:'m|\u2019m|\s+am)\s+(?:sorry|unable|not\s+able)|sorry,|unfortunately,)"
    r"|\A\W*i\s+(?:can(?:'t|\u2019t|not|\s+not)|don(?:'t|\u2019t)|do\s+not)\s"
    r"|\A\W*as\s+an?\s+(?:ai|language\s+model|artificial)\b"
    r"|\A\W*(?:caption|description|answer|assistant|response|output)\s*:",
    re.IGNORECASE,
)
