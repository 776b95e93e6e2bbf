"""What agents, file names, refs, checks and hooks say, made harmless for where it is shown: one function for each place.

Until then it is a string like any other. Nothing is left out: what could drive, forge or mislead the place is written
so that it can be read there and does nothing.
"""

from __future__ import annotations

import json
import re

from relais.text.words import is_visible, visible
from relais.typed import Any, Iterator


class Painted(str):
    """A line whose colours and form are relais's own; no other one reaches a terminal with an escape code."""

    __slots__ = ()


def for_terminal(line: str) -> str:
    """One line for a terminal: no escape code, no second line, nothing that turns it round, nor a forged problem."""
    return line if isinstance(line, Painted) else re.sub(r"^(?=relais: (?:error|warning|info) )", " ", legible(line))


# Wide and narrow ones of many languages: they print nothing, and move nothing but the next character.
SPACES = re.compile("([\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+)")


def legible(line: str) -> str:
    """A line with everything made visible but its spaces."""
    return line if is_visible(line) else "".join(p if SPACES.match(p) else visible(p) for p in SPACES.split(line))


def visible_lines(text: str) -> list[str]:
    """The lines of a text, ended as files and programs end them; what else may count as a line's end is made visible."""
    return [legible(line.removesuffix("\r")) for line in text.split("\n")]


def for_markdown(text: str) -> str:
    """A code span: in there nothing is HTML, a link, an image, a heading or a mention, whatever renders it."""
    shown = visible(text) or " "
    fence = "`" * (longest_run("`", shown) + 1)
    gap = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


def markdown_block(text: str) -> Iterator[str]:
    """The lines of a code block, in the item of a list above it, that no line of the text can end."""
    lines = visible_lines(text)
    fence = "`" * max(3, *(longest_run("`", line) + 1 for line in lines))
    yield from (f"  {line}" for line in (fence, *lines, fence))


def longest_run(character: str, text: str) -> int:
    return max(map(len, re.findall(f"{re.escape(character)}+", text)), default=0)


def for_page(data: Any) -> str:
    """JSON that cannot end the script element of the page it stands in, with nothing invisible in its words."""
    text = json.dumps(shown_document(data), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def shown_document(value: Any) -> Any:
    if isinstance(value, dict):
        return {visible(str(name)): shown_document(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown_document(item) for item in value]
    return "\n".join(visible_lines(value)) if isinstance(value, str) else value


def for_problem_place(path: str) -> str:
    """A path in a line of VS Code's Problems panel: the first colon behind it is ours."""
    return visible(path).replace(":", "\\x3a")


def for_annotation(text: str, special: str = "") -> str:
    """`text` for a workflow command of a CI: percent signs, line ends and what is `special` in that place escaped."""
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{special}" else c for c in visible(text))


def disarmed(line: str) -> str:
    """A line in which no CI finds a command, whatever it says."""
    return re.sub(r"^(\s*):(?=:)", r"\1: ", line).replace("##[", "## [")


def for_prompt(text: str) -> str:
    """Text among others in a prompt: nothing in it that people would not see, and no line that begins a section."""
    return "\n".join(re.sub(r"^(\s*)={2,}", without_heading, line) for line in visible_lines(text))


def without_heading(found: re.Match[str]) -> str:
    return f"{found[1]}{' '.join(found[0].strip())}"


def for_log(text: str) -> str:
    """Output of a program in a log: no line of it looks like one of ours, which begin with `$ ` or `[`."""
    return "\n".join(re.sub(r"^(?=\$ |\[)", " ", line) for line in visible_lines(text))


# What a server does because of words in a commit's message. A builder's words make none of that happen.
SKIPS_CHECKS = re.compile(r"\[([^][]*\b(?:skip|no)\b[^][]*)\]|\*{3}(NO_CI)\*{3}", re.IGNORECASE)
CLOSES_AN_ISSUE = re.compile(
    r"\b((?:clos|fix|resolv|implement)(?:e[sd]?|ing|s|ed)?)(:?\s+(?:issues?\s+)?)(?:[\w./-]*#|GH-|https?://\S*/)(?=\d)",
    re.IGNORECASE,
)
# What git or a reader of patches takes for more than a line of text: a trailer, the beginning of a patch or a mail.
BEGINS_MORE = re.compile(r"(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|[A-Z][A-Za-z0-9]*)\s*:|---|diff -|Index: |From |\(cherry ")


def for_commit(line: str) -> str:
    """A line in a commit's message: it skips no check and closes no issue."""
    shown = SKIPS_CHECKS.sub(lambda found: f"({found[1] or found[2]})", visible(line))
    return CLOSES_AN_ISSUE.sub(r"\1\2number ", shown)


def commit_text(text: str) -> str:
    """A whole message as a hook left it, cleaned as git does: no blank lines around it, no spaces at the ends; and nothing invisible."""
    lines = [line.rstrip() for line in visible_lines(text)]
    return "\n".join(lines).strip("\n") + "\n"


def commit_paragraph(text: str) -> str:
    """Lines below a commit's subject: none of them signs anything off, is a trailer, or begins a patch."""
    lines = map(for_commit, text.split("\n"))
    return "\n".join(f"> {line}" if BEGINS_MORE.match(line.lstrip()) else line for line in lines)
