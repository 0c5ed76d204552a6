"""Texts that would do harm in a page that took them for markup, or for its own."""

from __future__ import annotations

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "<!-- <script> ]]>",
    "\"><svg onload='alert(4)'>",
    "javascript:alert(5)",
    "&lt;b&gt; &amp; $data ${data} {{data}}",
    "a dog \U0001f415\u200d\U0001f9ba on a \U0001f6cb\ufe0f",
    "كلب على أريكة",
    "\u202egod a\u202c",
    "\ufeffa mark of its own",
    "\x00 null \x1b[31m and a bell \x07",
    "half a pair \ud83d",
    "a line\nand another\ttab",
    "",
    " ",
    "İstanbul'da bir köpek",
    "a dog " * 20000,
)
