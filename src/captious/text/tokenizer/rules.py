"""Rules of the Penn Treebank tokenizer: what counts as one token.

Each rule is a regular expression over the sketch of a caption (see the lexer). Where a
rule needs to see what follows its token, the token is group 1, and the whole match, context
included, competes for the longest match. The rules come from general knowledge of
Penn Treebank tokenization, settled by asking the reference tokenizer how it cuts made-up strings.
"""

# ruff: noqa: RUF001 - look-alike characters are what the rules are about

import re
from collections.abc import Callable, Iterable
from enum import Enum, auto
from functools import cached_property

from captious.text.english import ENGLISH

_SPELLED = ENGLISH.orthography


class Form(Enum):
    """How the matched text becomes a token."""

    AS_IS = auto()
    WORD = auto()  # soft hyphens are taken out
    DROPPED = auto()
    IN_TWO = auto()  # the token is cut where group 1 ends
    PLAIN_APOSTROPHE = auto()  # curly apostrophes are straightened
    PLAIN_QUOTES = auto()  # quotation marks are spelled with ` and '
    PLAIN_AMPERSAND = auto()  # &amp; becomes &
    SPELLED_OUT = auto()  # as the table SPELLED_OUT says
    ONE_PIECE = auto()  # brackets are spelled out, spaces become no-break spaces


class LazyPattern:
    """A pattern that is compiled when first needed, as most never are."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        """Match the pattern at a place."""
        return re.compile(self.source).match


class Rule(LazyPattern):
    """A pattern, and the form of the tokens that it finds."""

    def __init__(self, source: str, form: Form = Form.AS_IS, keeps_period: bool = False) -> None:
        super().__init__(source)
        self.form = form
        # "word.," is cut into "word." and ",", not "word", "." and ","
        self.keeps_period = keeps_period


def _any_of(texts: Iterable[str]) -> str:
    """Return a case-insensitive pattern for any of some texts; the first match counts."""
    return f"(?i:{'|'.join(map(re.escape, texts))})"


# --- fragments of patterns ----------------------------------------------------------------------
# A letter can also be written as an HTML entity. Plain words, numbers and hyphenated ones may hold
# soft hyphens, words with an apostrophe may not.
_LETTER = r"[A-Za-zé]"
_ALNUM = r"[A-Za-zé0-9٣]"
_ENTITY = r"&(?i:[aeiou](?:acute|grave|uml));"
_WORD_REST = r"[A-Za-zé\u0301\u00ad0-9٣]*"
_WORD = rf"(?:[A-Za-zé\u0301\u00ad]|{_ENTITY}){_WORD_REST}(?:{_ENTITY}{_WORD_REST})*"
_APOSTROPHE = r"(?:['’]|&(?i:apos);)"
_ANY_APOSTROPHE = r"(?:['’`‘]|&(?i:apos);)"
_CLITIC = _any_of(_SPELLED.CLITICS)
_ACRONYM = r"[A-Za-z](?:\.[A-Za-z])+"
_THING = rf"(?:[dDlLoO]{_ANY_APOSTROPHE}{_ALNUM})?{_ALNUM}+"
_HYPHENATED = rf"{_THING}(?:[-_‐]{_THING})*"
_DOTTED_WORDS = rf"{_WORD}(?:[.!?]{_WORD})+"
_INITIALS_WITH_AMPERSAND = r"[A-Z]+(?:(?:\+|&(?:(?i:amp);)?)[A-Z]+)+"
_SLASH_PART = r"[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
_SLASHED = rf"{_SLASH_PART}(?:\\?/{_SLASH_PART}){{1,2}}"
_NUMBER = r"(?:[0-9٣]*(?:[.,:٫\u00ad][0-9٣]+)+|[0-9٣]+)"
_BLANK = r"[ \t\u00a0\u2003]"
_SPACE = r"[ \u00a0]"
# Web addresses end at a blank or a tab, but hold any other space; e-mail addresses also end at a
# no-break space.
_URL = r'[^ \t"<>|(){}]'
_URL_LAST = r'[^ \t"<>|(){}.,!?-]'
_HOST = r'[^ \t"<>|(){}.,!?]'
_HOST_PART = r'[^ \t"<>|(){}.,!?/]'
_SITE = r"[^ \t@!\"$'(),/.0-9:;<=>?\[\\\]^_`{|}A-Z-]"
_DOMAIN = r'[^ \t\u00a0"<>|(){}.]'
# Words with which a sentence is likely to begin: a lone letter's period before them is a stop.
_SENTENCE_START = (
    rf"{_BLANK}+(?:(?=[A-Z]){_any_of(_SPELLED.SENTENCE_OPENERS)}"
    rf"|</?[A-Za-z][^<>]*>|<[!?][A-Za-z-][^<>]*>){_BLANK}"
)
_JOINED = "|".join(
    f"({first}){joined.removeprefix(first)}" for joined, first in _SPELLED.JOINED_WORDS.items()
)
_EYE = r"[-^x=~<>']"
_FACE = rf"\((?:{_EYE}[_.]?{_EYE}|[\^x=~<>']-[\^x=~<>'`])\)"
_SMILEY = r"([<>]?[:;=][-o*']?[()\[\]{dDpP\\|@O])[^A-Za-z0-9]"
_GAP = r"[- \u00a0]"
# Which groups of digits make a telephone number was found by asking for two to four groups of one
# to six digits each, with every separator, plus sign and bracket.
_AREA = "[0-9]{2,4}"
_SUBSCRIBER = rf"[0-9]{{3,4}}{_GAP}?[0-9]{{3,5}}"
_PHONE = "|".join(
    (
        rf"\([0-9]{{2,3}}\){_SPACE}?{_SUBSCRIBER}",
        rf"\+{{0,2}}(?:{_AREA}{_GAP}){{1,2}}{_SUBSCRIBER}",
        rf"\+{{0,2}}{_AREA}\.{_AREA}\.[0-9]{{3,4}}\.[0-9]{{3,5}}",
    )
)

# --- abbreviations that keep their period -------------------------------------------------------
ABBREVIATION = re.compile(r"(?:[pP][hH]|[eE][dD])\.[dD](?=\.)|[A-Za-z]{2,6}(?=\.)")
NUMBER_AHEAD = re.compile(rf"{_BLANK}?[0-9٣]")

# --- the rules, by the first character of the token ---------------------------------------------
# Of matches of one length the first counts: d'll is cut before its clitic.
_WORDS = (
    Rule(rf"({_DOTTED_WORDS}|{_WORD}){_APOSTROPHE}{_CLITIC}", Form.WORD),
    Rule(_WORD, Form.WORD, keeps_period=True),
    Rule(_HYPHENATED, Form.WORD, keeps_period=True),
    Rule(_DOTTED_WORDS, Form.WORD, keeps_period=True),
    Rule(rf"{_LETTER}+[aeiouyAEIOUY]{_ANY_APOSTROPHE}[aeiouA-Z]{_LETTER}*", Form.WORD),
)
_NEGATED = Rule(rf"([A-Za-z\u00ad]*[A-MO-Za-mo-z]\u00ad*)[nN]{_ANY_APOSTROPHE}[tT]", Form.WORD)
_LETTERS = (
    Rule(f"(?i:{_JOINED})", Form.IN_TWO),
    *_WORDS,
    _NEGATED,
    Rule(rf"[nN]{_ANY_APOSTROPHE}[tT]", Form.PLAIN_APOSTROPHE),
    Rule(rf"([yY]{_APOSTROPHE}){_LETTER}"),
    Rule(f"{_any_of(_SPELLED.WITH_APOSTROPHE_BEHIND)}{_APOSTROPHE}"),
    Rule(rf"[A-HJ-XZn]{_ANY_APOSTROPHE}{_LETTER}{{2,}}"),
    Rule(rf"(?i:o{_ANY_APOSTROPHE}o|cap{_APOSTROPHE}n)"),
    Rule(_any_of(_SPELLED.WITH_APOSTROPHE_INSIDE)),
    Rule(rf"(?:{_ACRONYM}|[A-Za-z])\."),
    Rule(rf"([A-Za-z])\.{_SENTENCE_START}"),
    Rule(_SLASHED),
    Rule(_INITIALS_WITH_AMPERSAND, Form.PLAIN_AMPERSAND, keeps_period=True),
    Rule(r"[A-Z]+\$"),
    Rule(r"[cC]\+\+|[cCfF]#"),
    Rule(rf"(?i:https?)://{_URL}+{_URL_LAST}"),
    Rule(rf"x_{_EYE}"),
)
_DIGITS = (
    Rule(_HYPHENATED, Form.WORD, keeps_period=True),
    Rule(_NUMBER, Form.WORD),
    Rule(_SLASHED),
    Rule(r"[0-9٣]{1,2}[-/][0-9٣]{1,2}[-/][0-9٣]{2,4}"),
    Rule(rf"(?:[0-9٣]{{1,4}}{_GAP})?[0-9٣]{{1,4}}[/⁄][0-9٣]{{1,4}}", Form.ONE_PIECE),
    Rule(_PHONE, Form.ONE_PIECE),
)
_CURLY_QUOTES = Rule(r"[`‘’“]{1,2}", Form.PLAIN_QUOTES)
_APOSTROPHES = (
    Rule(rf"('{_CLITIC})[^A-Za-z]", Form.PLAIN_APOSTROPHE),
    Rule(rf"(?:’|&(?i:apos);){_CLITIC}", Form.PLAIN_APOSTROPHE),
    Rule(r"('[nN])[ \t\u00a0]"),
    Rule(r"(?:’|&(?i:apos);)[nN]"),
    Rule(rf"{_APOSTROPHE}[nN]{_APOSTROPHE}"),
    Rule(f"{_APOSTROPHE}{_any_of(_SPELLED.WITH_APOSTROPHE_BEFORE)}"),
    Rule(r"('[tT])(?i:is|was)"),
    Rule(rf"{_APOSTROPHE}[2-9]0[sS]"),
    Rule(rf"({_APOSTROPHE}[0-9][0-9]){_BLANK}"),
    Rule(rf"'_{_EYE}"),
    Rule(r"''?", Form.DROPPED),
)
_ATTRIBUTE = r" +[A-Za-z][A-Za-z0-9_:.-]*" + r"""(?: *= *(?:"[^"]*"|'[^']*'))?"""
_ANGLE = (
    Rule(rf"</?[A-Za-z][A-Za-z0-9_:.-]*(?:{_ATTRIBUTE})* */?>", Form.ONE_PIECE),
    Rule(_SMILEY, Form.ONE_PIECE),
    Rule(rf"[<>]_{_EYE}"),
    Rule(r"<<?|>>?"),
)
_ENTITIES = (
    Rule(r"&(?:apos|quot|(?i:[mn]dash|nbsp));", Form.DROPPED),
    Rule(r"&(?i:apos|quot);|&#[0-9]+;"),
    Rule(r"&(?i:amp|lt|gt);", Form.SPELLED_OUT),
)
RULES_BY_FIRST: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", _LETTERS),
    **dict.fromkeys("é\u0301", _WORDS),
    "\u00ad": (*_WORDS, _NEGATED, Rule(_NUMBER, Form.WORD)),
    **dict.fromkeys("0123456789٣", _DIGITS),
    "'": _APOSTROPHES,
    "’": (*_APOSTROPHES, _CURLY_QUOTES),
    **dict.fromkeys("`‘“", (_CURLY_QUOTES,)),
    **dict.fromkeys("<>", _ANGLE),
    ":": (Rule(_NUMBER, Form.WORD), Rule(_SMILEY, Form.ONE_PIECE)),
    ";": (Rule(_SMILEY, Form.ONE_PIECE),),
    "=": (Rule(_SMILEY, Form.ONE_PIECE), Rule(rf"=_{_EYE}"), Rule("=")),
    **dict.fromkeys(",٫", (Rule(_NUMBER, Form.WORD),)),
    ".": (Rule(_NUMBER, Form.WORD), Rule(rf"\.{{3,5}}|\.(?:{_SPACE}\.){{2,4}}", Form.DROPPED)),
    "-": (
        Rule(rf"-{_NUMBER}", Form.WORD),
        Rule(rf"-_{_EYE}"),
        Rule(r"-(?i:[LR][RCS]B)-"),
        Rule(r"-{5,}"),
        Rule(r"-{2,4}", Form.DROPPED),
    ),
    "+": (Rule(rf"\+{_NUMBER}", Form.WORD), Rule(_PHONE, Form.ONE_PIECE), Rule(r"\+")),
    "^": (Rule(rf"\^_{_EYE}"), Rule(r"\^")),
    "~": (Rule(rf"~_{_EYE}"), Rule("~")),
    "(": (Rule(_PHONE, Form.ONE_PIECE), Rule(_FACE, Form.ONE_PIECE)),
    "&": (*_WORDS[1:4], *_APOSTROPHES[1:-1], *_ENTITIES, Rule("&")),
    "#": (Rule(rf"#(?:[A-Za-zé\u0301\u00ad]|{_ENTITY})+"), Rule("#+")),
    "@": (Rule(r"@[A-Za-z_][A-Za-z0-9_]*"), Rule("@+")),
    "*": (Rule(r"\*+"),),
    "\\": (Rule(r"\\\*?"),),
    "_": (Rule("_+"),),
    **dict.fromkeys("?!", (Rule("[?!]+"),)),
    **{repeated: (Rule(f"{repeated}+"),) for repeated in "²₂‚„‟"},
    **{symbol: (Rule(re.escape(symbol)),) for symbol in "$%/|§⁄、"},
}
SPELLED_OUT = {
    "(": "-lrb-",
    ")": "-rrb-",
    "[": "-lsb-",
    "]": "-rsb-",
    "{": "-lcb-",
    "}": "-rcb-",
    "¢": "cents",
    "£": "#",
    "€": "$",
    "¼": "1/4",
    "½": "1/2",
    "¾": "3/4",
    "⅓": "1/3",
    "⅔": "2/3",
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
}
PLAIN_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\x91\u2018\u201b\u2039", "`"),
        **dict.fromkeys("\x92\u2019\u203a", "'"),
        **dict.fromkeys("\x93\u00ab\u201c", "``"),
        **dict.fromkeys("\x94\u00bb\u201d", "''"),
    }
)

# --- tokens whose search may run far ahead --------------------------------------------------------
# In "a,a,a,…" each "a" could begin the token "a,a,a,…-b". What lies at the end of such a run is the
# same for every start inside it, so it is looked up once, and lexing takes linear time.
_HYPHEN_PREFIX = LazyPattern(r"[A-Za-z0-9.,\u00ad]*")
_HYPHEN_SUFFIX = LazyPattern(rf"(?:-(?:{_ACRONYM}\.|[A-Za-z0-9\u00ad]+))+")
_EMAIL_RUN = LazyPattern(r'[^ \t\u00a0"<>|(){}]*')
_EMAIL_DOMAIN = LazyPattern(rf"@{_DOMAIN}+(?:\.{_DOMAIN}+)*>?")
_SITE_RUN = LazyPattern(rf"(?:{_SITE}+\.)*{_SITE}*")
SITE_END = re.compile(r"\.(?i:com|net|org|edu)")
_PATH = LazyPattern(rf"/{_URL}+{_URL_LAST}")
_WEB_RUN = LazyPattern(rf"(?i:www)\.(?:{_HOST}+\.)*{_HOST}*")
# A slash may belong to the host or begin the path: whichever makes the address longer.
_WEB_ADDRESS = LazyPattern(rf"(?i:www)\.(?:{_HOST}+\.)+[A-Za-z]{{2,4}}")
_WEB_ADDRESS_WITH_PATH = LazyPattern(
    rf"(?i:www)\.(?:{_HOST_PART}+\.)+[A-Za-z]{{2,4}}/{_URL}+{_URL_LAST}"
)
_FILE_RUN = LazyPattern(rf"(?:{_ALNUM}+\.)*{_ALNUM}*")
_FILE_ENDING = LazyPattern(
    r"\.(?i:bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|pdf|php|pl"
    rf"|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)(?={_BLANK}|[.,!?])"
)


class Runs:
    """Ends of far-reaching tokens in one sketched caption; -1 where there is no such token."""

    def __init__(self, shape: str) -> None:
        self._shape = shape
        self._hyphen_run_end = self._hyphenated_end = -1
        self._email_run_end = self._email_at = self._email_end = -1
        self._site_run_end = self._site_dot = self._site_end = -1
        self._file_run_end = self._file_dot = self._file_end = -1
        self._web_run_end = -1

    def end_of_hyphenated(self, start: int) -> int:
        """End of hyphenated words whose first part may hold periods and commas."""
        if start >= self._hyphen_run_end:
            prefix = _HYPHEN_PREFIX.match(self._shape, start)
            self._hyphen_run_end = prefix.end() if prefix else start
            suffix = _HYPHEN_SUFFIX.match(self._shape, self._hyphen_run_end)
            self._hyphenated_end = suffix.end() if suffix else -1
        return self._hyphenated_end

    def end_of_email(self, start: int) -> int:
        """End of an e-mail address."""
        if start >= self._email_run_end:
            run = _EMAIL_RUN.match(self._shape, start)
            self._email_run_end = at = run.end() if run else start
            self._email_end = -1
            while self._email_end < 0:
                at = self._shape.rfind("@", start, at)
                if at < 0:
                    break
                domain = _EMAIL_DOMAIN.match(self._shape, at)
                if domain:
                    self._email_end = domain.end()
            self._email_at = at
        return self._email_end if start < self._email_at else -1

    def end_of_site(self, start: int) -> int:
        """End of an address such as example.com, or example.com/path."""
        if start >= self._site_run_end:
            run = _SITE_RUN.match(self._shape, start)
            self._site_run_end = dot = run.end() if run else start
            self._site_end = -1
            while self._site_end < 0:
                dot = self._shape.rfind(".", start, dot)
                if dot < 0:
                    break
                ending = SITE_END.match(self._shape, dot)
                if ending:
                    path = _PATH.match(self._shape, ending.end())
                    self._site_end = path.end() if path else ending.end()
            self._site_dot = dot
        return self._site_end if start < self._site_dot else -1

    def end_of_file_name(self, start: int) -> tuple[int, int]:
        """Reach and end of a file name such as 1.jpg; the reach includes what must follow."""
        if start >= self._file_run_end:
            run = _FILE_RUN.match(self._shape, start)
            self._file_run_end = dot = run.end() if run else start
            self._file_end = -1
            while self._file_end < 0:
                dot = self._shape.rfind(".", start, dot)
                if dot < 0:
                    break
                ending = _FILE_ENDING.match(self._shape, dot)
                if ending:
                    self._file_end = ending.end()
            self._file_dot = dot
        if start < self._file_dot:
            return self._file_end + 1, self._file_end
        return -1, -1

    def end_of_web_address(self, start: int) -> int:
        """End of an address that begins with www."""
        if start < self._web_run_end:
            return -1  # an earlier start in this run already failed, and so will this one
        address = _WEB_ADDRESS.match(self._shape, start)
        if address:
            with_path = _WEB_ADDRESS_WITH_PATH.match(self._shape, start)
            return max(address.end(), with_path.end() if with_path else -1)
        run = _WEB_RUN.match(self._shape, start)
        if run:
            self._web_run_end = run.end()
        return -1
