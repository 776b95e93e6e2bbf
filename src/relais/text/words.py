"""Characters for people: made visible, clipped, counted, wrapped, boxed."""

from __future__ import annotations

import re
import time
import unicodedata

from relais.typed import Any, Iterable, Iterator, Mapping, Sequence

# Printable by the standard, and yet nothing is seen of it: joiners, fillers, blanks, selectors of variants, in which
# whole sentences can be hidden. The two selectors that make a symbol an emoji, and a key's cap, are ordinary.
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U0001d159\U000e0100-\U000e01ef]"
    "|(?<![\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f](?!\u20e3)"
)


def is_visible(text: str) -> bool:
    return text.isprintable() and (text.isascii() or not BLANK.search(text))


def visible(text: str) -> str:
    """`text` with everything escaped that could forge a line, drive a terminal, or hide."""
    if is_visible(text):
        return text
    shown = "".join(c if c.isprintable() else escaped(c) for c in text)
    return BLANK.sub(lambda found: escaped(found[0]), shown)


def escaped(text: str) -> str:
    return text.encode("unicode_escape", "surrogatepass").decode()


def clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shortened(items: Sequence[str], limit: int) -> tuple[str, ...]:
    """At most `limit` items; where some are left out the last one says how many."""
    if len(items) <= limit:
        return tuple(items)
    return (*items[: limit - 1], f"(+{len(items) - limit + 1} more)")


def cut(text: str, limit: int, *, keep: str = "end") -> str:
    """`text` within `limit` characters, the older end gone and the loss stated."""
    if len(text) <= limit:
        return text
    room = max(limit - len(f"[… {len(text)} characters cut …]\n"), 0)
    note = f"[… {len(text) - room} characters cut …]"
    return f"{note}\n{text[len(text) - room :]}" if keep == "end" else f"{text[:room]}\n{note}"


def columns(text: str) -> int:
    """How wide a terminal shows `text`: East Asian characters take two columns, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def fitting(text: str, width: int) -> str:
    """`text` within so many columns."""
    if columns(text) <= width:
        return text
    while text and columns(text) >= width:
        text = text[:-1]
    return f"{text}…" if width > 0 else ""


def boxed(title: str, lines: Iterable[str], width: int, color: str) -> Iterator[str]:
    """Lines in a box of at most `width` columns; the colour is the title's, and a frame says the same without it.

    Nothing in them may be able to drive a terminal: they have been made visible by whoever made them.
    """
    lines = [part for line in lines for part in wrapped(line, width - 4)]
    inner = max([columns(title) + 2, *map(columns, lines)])
    paint = (lambda text: f"\x1b[{color}m{text}\x1b[0m") if color else str
    yield f"╭─{paint(f' {title} ')}{'─' * (inner - columns(title) - 1)}╮"
    yield from (f"│ {line}{' ' * (inner - columns(line))} │" for line in lines)
    yield f"╰{'─' * (inner + 2)}╯"


def wrapped(line: str, width: int) -> Iterator[str]:
    """One line as several that fit, broken at spaces where there are any; a path stays whole as long as it can."""
    lead = line[: len(line) - len(line.lstrip())][: width // 4]
    current = lead
    for word in line.split():
        joined = f"{current} {word}" if current.strip() else lead + word
        if columns(joined) <= width:
            current = joined
            continue
        if current.strip():
            yield current
        current = lead + word
        while columns(current) > width:
            piece = current
            while columns(piece) > width and len(piece) > len(lead) + 1:
                piece = piece[:-1]
            yield piece
            current = lead + current[len(piece) :]
    yield current


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{'e' if noun.endswith('s') else ''}s"


def blast_line(radius: Mapping[str, Any]) -> str:
    return "{files_touched} files, +{lines_added}/-{lines_deleted}, {new_files} new".format(**radius)


def iso(epoch: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
