"""Finds numbers that look measured and that nothing measured has produced, in rendered pages.

A page may say "1024 threads" or "48 KiB"; it may not type a time, a rate, a clock, a speed-up or a
share of one. Those come from roles, tables, charts and captured output, which mark what they make.
Words count like digits: "ten times faster", "twice as fast", "half the time".
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

# What roles and directives produce. `reading-time` is advice in a chapter's header.
PRODUCED = {
    "measured", "results-table", "chart", "console-output", "console-note", "console-command",
    "reading-time", "lanes-figure", "sanitizer-record", "missing",
}  # fmt: skip
SKIPPED_TAGS = {"pre", "script", "style", "template", "nav"}
VOID_TAGS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
             "track", "wbr"}  # fmt: skip
BLOCK_TAGS = {
    "address", "article", "aside", "blockquote", "caption", "dd", "desc", "details", "div", "dl",
    "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "li", "main", "ol", "p", "section", "summary", "svg", "table", "tbody", "td", "text", "th",
    "thead", "title", "tr", "ul", "br", "option", "button", "label",
}  # fmt: skip
SPOKEN_ATTRIBUTES = ("alt", "title", "aria-label", "placeholder", "content")
STAND_IN = "\ufffc"  # stands where a produced number was, so that words around it do not join

# Numbers --------------------------------------------------------------------------------------

_SMALL = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred",
    "thousand", "million", "billion", "dozen",
)  # fmt: skip
_WORD_NUMBER = (
    rf"(?:(?:an?|{'|'.join(_SMALL)})[ -])?(?:{'|'.join(_SMALL)})s?(?:[ -](?:{'|'.join(_SMALL)}))*"
    r"(?:[ -]and[ -]a[ -]half)?"
)
_DIGITS = r"[-+~≈−]?\d(?:[\d,.]|(?<=\d) (?=\d{3}\b))*(?:e[-+]?\d+)?(?: ?× ?10[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
_SCALE = r"(?: ?(?:k|K|M|G|T|bn|thousand|million|billion))?"
_NUMBER = rf"(?:{_DIGITS}|{_WORD_NUMBER}){_SCALE}"
_TIME = (
    r"(?:[nmµμup]?secs?\b|[nmµμu]s\b|s\b|min\b|h\b"
    r"|(?:nano|micro|milli|pico)?-?seconds?\b|minutes?\b|hours?\b)"
)
_RATE_OBJECT = r"(?:[kKMGTP]i?)?(?:B|b|bytes?|bits?|bit)"
_RATE_WORD = (
    r"(?:kilo|mega|giga|tera|peta|gibi|tebi|mebi|kibi)?-?(?:bytes?|bits?|elements?|operations?)"
)
_PER_SECOND = r"(?:/ ?s(?:ec(?:ond)?)?\b|ps\b| (?:per|a|each|every) second\b| s⁻¹)"
_FLOPS = (
    r"(?:[kKMGTP]?FLOP(?:/s|[sS])?\b|[kKMGTP]?flops?(?:/s)?\b|(?:kilo|mega|giga|tera|peta)flops?\b)"
)
_CLOCK = r"(?:[kKMGT]?Hz\b|(?:kilo|mega|giga)?hertz\b|(?:clock |GPU |SM )?cycles?\b|ticks?\b)"
_UNIT = rf"(?:{_FLOPS}|{_RATE_OBJECT}{_PER_SECOND}|{_RATE_WORD}{_PER_SECOND}|{_CLOCK}|{_TIME})"
_COMPARED = (
    r"(?:faster|slower|quicker|longer|shorter|better|worse|higher|lower|cheaper|speed-?ups?"
    r"|improvement|gains?|less time|more time|more bandwidth|less bandwidth|more throughput)"
)
_QUANTITY = (
    r"(?:time|speed|bandwidth|throughput|rate|performance|duration|latency|peak|roof|cost|runtime"
    r"|run time|running time|cycles|clock)"
)
_REPEATS = (
    r"(?:runs?|ran|running|repeat\w*|call\w*|reads?|writes?|written|launch\w*|loop\w*|execut\w*|load\w*"
    r"|stor\w+|cop(?:y|ies|ied)|unroll\w*|measured|tim(?:e|ed|es|ing)|visit\w*|touch\w*|appear\w*"
    r"|occur\w*|used?|count\w*|goes|go|done|happen\w*|evaluat\w*|press\w*|print\w*|says?|typed?)"
)
_ABOUT = r"(?:about |some |roughly |nearly |almost |over )?"
_PERCENT = rf"{_NUMBER} ?(?:%|per ?cent|percent)"
_WHOSE = r"(?:the|its|that|this|their|our|of the)"
_FRACTION = r"(?:half|thirds?|quarters?|fifths?|sixths?|eighths?|tenths?|hundredths?|thousandths?)"

_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern)
    for pattern in (
        # 11.6 ms, eleven milliseconds, 4.8 TB/s, 4.8 terabytes per second, 1.98 GHz, 200 cycles
        rf"(?<![\w.:/#]){_DIGITS}{_SCALE}[ -]?{_UNIT}",
        rf"(?<![\w.:/#]){_WORD_NUMBER}{_SCALE}[ -]{_UNIT}",
        rf"(?<![\w.:/#]){_DIGITS}{_SCALE} clocks\b",
        # 24×, 24 × faster, 24x; but not 16×16 or 2 × width
        rf"(?<![\w.×]){_DIGITS} ?[×x](?= ?(?:{_COMPARED}|as\b|the {_QUANTITY}))",
        rf"(?<![\w.×]){_DIGITS}[×x](?![\w×]| ?\d)",
        rf"(?<![\w.×]){_DIGITS} [×](?=\s*(?:[.,;:!?)]|$))",
        # 30 % faster, faster by 30 per cent, 85 % of peak
        rf"{_PERCENT}(?: \S+){{0,3}}? {_COMPARED}\b",
        rf"{_PERCENT} (?:of|off) (?:\S+ ){{0,4}}?{_QUANTITY}\b",
        rf"{_PERCENT} (?:more|less|of (?:what|that|it))\b",
        rf"{_COMPARED} (?:by|of) {_ABOUT}{_PERCENT}",
        rf"(?:sav|gain|los|cut|drop|improv|gr[eo]w|rais|rise|fall|fell)\w*"
        rf"(?: \S+){{0,3}}? {_PERCENT}",
        # ten times faster, ten times the bandwidth, is 3 times as fast
        rf"(?<![\w.]){_NUMBER}[ -]times[ -](?:as|more|less|over|that|what|the|its|this|of)\b",
        rf"(?<![\w.]){_NUMBER}[ -]times[ -]{_COMPARED}\b",
        # twice as fast, half the time, a third of the peak
        rf"\b(?:twice|thrice|half|double|triple|quadruple) {_WHOSE} "
        rf"(?:\S+ ){{0,2}}?{_QUANTITY}\b",
        r"\b(?:twice|thrice|half) as "
        r"(?:fast|slow|quick|long|short|much|many|well|good|expensive|cheap)",
        rf"\b(?:twice|thrice) {_COMPARED}\b",
        rf"\b(?:an?|one|two|three|four|five|seven|nine)[ -]{_FRACTION} (?:of )?{_WHOSE} "
        rf"(?:\S+ ){{0,2}}?{_QUANTITY}\b",
        rf"\b(?:doubl|tripl|quadrupl|halv)(?:e|es|ed|ing) (?:the|its|their|our) "
        rf"(?:\S+ ){{0,2}}?{_QUANTITY}\b",
        rf"{_QUANTITY} (?:is |are |was |were )?(?:doubl|tripl|quadrupl|halv)(?:e|es|ed)\b",
        # a factor of 12, an order of magnitude, tenfold, a speed-up of 3
        rf"\bfactors? of {_ABOUT}{_NUMBER}",
        r"\borders? of magnitude\b",
        rf"\b(?:{'|'.join(_SMALL)}|\d+(?:\.\d+)?)[ -]?fold\b",
        rf"\bspeed-?ups?(?: (?:is|was|of|by|to|about|around|roughly|nearly)|:)* {_DIGITS}",
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)-to-one\b",
    )
)  # fmt: skip
_TIMES = re.compile(rf"(?<![\w.])(?:{_NUMBER})[ -]times\b")
_BEFORE_TIMES = re.compile(rf"\b{_REPEATS}\b(?:\W+\S+){{0,6}}\W*$", re.IGNORECASE)
_AFTER_TIMES = re.compile(
    r"\s*(?:[\d(]|in a row|each|a loop|per|and (?:print|read|report|keep|time))\b"
)
_DECADE = re.compile(r"^[12]\d{3}s$")


def _plain(text: str) -> str:
    text = re.sub("[\u00a0\u2000-\u200a\u202f\u205f]", " ", text)
    return re.sub(r"\s+", " ", text.replace("\u2011", "-").replace("\u00ad", ""))


def numbers_in(text: str) -> list[str]:
    """The phrases of a text that look like a measured number, in order of their place."""
    text = _plain(text)
    low = text.lower()
    found: dict[tuple[int, int], str] = {}
    for pattern in _PATTERNS:
        for source in (text, low):
            for match in pattern.finditer(source):
                phrase = text[match.start() : match.end()].strip()
                if not _innocent(phrase, text, match.end()):
                    found[match.span()] = phrase
    for match in _TIMES.finditer(low):
        before, after = text[: match.start()], text[match.end() :]
        if not _BEFORE_TIMES.search(before) and not _AFTER_TIMES.match(after):
            found[match.span()] = text[match.start() : match.end()].strip()
    ordered = sorted(found.items())
    kept: list[tuple[tuple[int, int], str]] = []
    for span, phrase in ordered:
        if kept and span[0] < kept[-1][0][1]:
            if span[1] - span[0] > kept[-1][0][1] - kept[-1][0][0]:
                kept[-1] = (span, phrase)
            continue
        kept.append((span, phrase))
    return [phrase for _, phrase in kept]


_ONE_THING = re.compile(r"^(?:an? )?one[ -]", re.IGNORECASE)


def _innocent(phrase: str, text: str, end: int) -> bool:
    """Phrases that only look like a measurement: a decade, "one clock", "5 h" of an index."""
    if _DECADE.match(phrase):
        return True
    if _ONE_THING.match(phrase) and re.search(r"(?:cycle|clock|tick|second|hour|minute)s?$", phrase,
                                              re.IGNORECASE):  # fmt: skip
        return True
    return bool(re.search(r"\d h$", phrase) and not re.search(r"\d{1,2} h$", phrase))


# Pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """A number on a page that nothing produced."""

    page: str
    phrase: str
    around: str

    def __str__(self) -> str:
        return f"{self.page}: '{self.phrase}' in “{self.around}” comes from no result"


class _Text(HTMLParser):
    """Collects the texts of a page's article: one string a block, and spoken attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self.current: list[str] = []
        self.stack: list[tuple[str, bool, bool]] = []  # tag, produced, skipped
        self.in_article = False
        self.has_article = False

    def _flush(self) -> None:
        text = "".join(self.current).strip()
        if text:
            self.blocks.append(text)
        self.current = []

    @property
    def silent(self) -> bool:
        return bool(self.stack) and (self.stack[-1][1] or self.stack[-1][2])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        classes = set((attributes.get("class") or "").split())
        produced = bool(classes & PRODUCED) or (bool(self.stack) and self.stack[-1][1])
        skipped = tag in SKIPPED_TAGS or (bool(self.stack) and self.stack[-1][2])
        if tag in BLOCK_TAGS:
            self._flush()
        if not (produced or skipped):
            for name in SPOKEN_ATTRIBUTES:
                if attributes.get(name) and (name != "content" or tag == "meta"):
                    self.blocks.append(attributes[name])
        elif produced and not self.silent:
            self.current.append(STAND_IN)
        if tag not in VOID_TAGS:
            self.stack.append((tag, produced, skipped))

    def handle_startendtag(self, tag: str, attrs) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID_TAGS:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self._flush()
        for at in range(len(self.stack) - 1, -1, -1):
            if self.stack[at][0] == tag:
                del self.stack[at:]
                break

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.current.append(data)


_ARTICLE = re.compile(r"<article\b[^>]*>(.*)</article>", re.DOTALL)
_META = re.compile(r"<title>.*?</title>|<meta\b[^>]*\bname=\"description\"[^>]*>", re.DOTALL)


def texts_of(html: str) -> list[str]:
    """The texts of a page that a reader sees, hears or hovers, without produced parts."""
    article = _ARTICLE.search(html)
    body = article[1] if article else html
    head = "".join(_META.findall(html[: article.start()])) if article else ""
    parser = _Text()
    parser.feed(head + body)
    parser.close()
    parser._flush()
    return parser.blocks


def check_html(page: str, html: str, allowed: set[str] = frozenset()) -> list[Finding]:
    """The findings of one page. `allowed` phrases are passed over."""
    findings = []
    for text in texts_of(html):
        for phrase in numbers_in(text):
            if phrase in allowed:
                continue
            plain = _plain(text)
            at = plain.find(phrase)
            around = plain[max(at - 30, 0) : at + len(phrase) + 30].strip()
            findings.append(Finding(page, phrase, around))
    return findings


def load_allowed(path: Path) -> dict[str, dict[str, str]]:
    """Numbers that a page may type: [[allow]] page, phrase and the reason."""
    if not path.is_file():
        return {}
    pages: dict[str, dict[str, str]] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("allow", []):
        if not entry.get("reason"):
            raise ValueError(f"{path.name}: {entry.get('phrase')!r} is allowed without a reason")
        pages.setdefault(entry["page"], {})[entry["phrase"]] = entry["reason"]
    return pages


NO_PROSE = ("search.html", "genindex.html", "cpp-modindex.html")


def prose_pages(site: Path) -> list[tuple[str, Path]]:
    """The pages that the course has written, with their addresses."""
    pages = []
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if name not in NO_PROSE and not name.startswith(("sources/", "_static/")):
            pages.append((name, path))
    return pages


def check_page(name: str, html: str, allowed: dict[str, dict[str, str]]) -> list[Finding]:
    """The findings of one page, and phrases allowed there that it does not say any more."""
    may = allowed.get(name.removesuffix(".html"), {})
    findings = check_html(name, html, set(may))
    said = {phrase for text in texts_of(html) for phrase in numbers_in(text)} if may else set()
    findings += [
        Finding(name, phrase, "allowed, but the page does not say it")
        for phrase in may
        if phrase not in said
    ]
    return findings


def check_site(site: Path, allowed_file: Path) -> list[Finding]:
    """The findings of a built site."""
    allowed = load_allowed(allowed_file)
    findings: list[Finding] = []
    for name, path in prose_pages(site):
        findings += check_page(name, path.read_text(encoding="utf-8"), allowed)
    return findings
