"""Which paths a glob means, strictly where something is allowed and generously where it is protected."""

from __future__ import annotations

import re
import unicodedata

from relais.typed import Callable, Iterable, Optional


class BadGlob(ValueError):
    """A pattern the engine refuses instead of guessing."""


def glob_segments(pattern: str) -> list[str]:
    """The parts of a glob between slashes. Raises BadGlob for what other engines read differently."""
    pattern = pattern.removeprefix("./")
    if pattern.endswith("/"):
        pattern += "**"
    segments = pattern.split("/")
    faults = (
        (not pattern, "is empty"),
        ("\0" in pattern, "contains a NUL"),
        (pattern.startswith("!"), "starts with ! (there is no negation)"),
        (pattern.startswith("/"), "starts with / (globs are relative to the repo)"),
        ("\\" in pattern, "contains a backslash"),
        ("{" in pattern or "}" in pattern, "contains braces (write one glob per alternative)"),
        (any(s in ("", ".", "..") for s in segments), "has an empty, . or .. segment"),
        (any("**" in s and s != "**" for s in segments), "has ** inside a segment"),
        (any(has_open_class(s) for s in segments), "has an unterminated ["),
    )
    for present, fault in faults:
        if present:
            raise BadGlob(f"glob {pattern!r} {fault}")
    return [s for n, s in enumerate(segments) if not (s == "**" and n and segments[n - 1] == "**")]


GLOB_CLASS = r"\[([!^]|(?![!^]))(\][^\]]*|[^\]]+)\]"
GLOB_TOKEN = rf"(\*)|(\?)|{GLOB_CLASS}|([^*?\[]+)"


def has_open_class(segment: str) -> bool:
    return "[" in re.sub(GLOB_CLASS, "", segment)


def class_regex(members: str) -> str:
    """The inside of [ ]: ranges stay ranges, everything else means itself."""
    parts = re.findall(r"(.)-([^-])|(.)", members, re.DOTALL)
    return "".join(f"{re.escape(a)}-{re.escape(b)}" if a else re.escape(single) for a, b, single in parts)


def segment_regex(segment: str, bound: Callable[[str], str]) -> str:
    """One segment: what stands between its stars, each star but the last bound to its first match."""
    parts = [""]
    for star, question, negation, members, literal in re.findall(GLOB_TOKEN, segment):
        if star:
            parts.append("")
        elif question:
            parts[-1] += "[^/]"
        elif literal:
            parts[-1] += re.escape(literal)
        else:
            parts[-1] += f"(?!/)[{'^' if negation else ''}{class_regex(members)}]"
    first, *rest = parts
    bounded = "".join(bound(f"[^/]*?{part}") for part in rest[:-1])
    return first + bounded + (f"[^/]*{rest[-1]}" if rest else "")


ANYWHERE = "(?:[^/]+/)*"


def glob_regex(pattern: str) -> tuple[str, bool]:
    """The regular expression of a glob, and whether it needs groups of its own.

    Of the stars in a segment, and of the `**` in a pattern, only the last may be retried: each earlier one
    is bound to its first match by a look-ahead group (an atomic group in the words of Python 3.9). Without
    that `*a*a*a*a*b` takes minutes on a path of 60 characters, and the agent writes both.
    """
    groups = 0

    def bound(regex: str) -> str:
        nonlocal groups
        groups += 1
        return f"(?=(?P<g{groups}>{regex}))(?P=g{groups})"

    chunks: list[list[str]] = [[]]
    for segment in glob_segments(pattern):
        if segment == "**":
            chunks.append([])
        else:
            chunks[-1].append(segment_regex(segment, bound))
    if len(chunks) == 1:
        return "/".join(chunks[0]), groups > 0
    first, *middle, last = chunks
    regex = "".join(f"{segment}/" for segment in first)
    regex += "".join(bound("(?:[^/]+/)*?" + "".join(f"{segment}/" for segment in chunk)) for chunk in middle)
    regex += ANYWHERE + "/".join(last) if last else ".+"
    return regex, groups > 0


def glob_fault(pattern: str) -> Optional[str]:
    """Why the engine refuses a glob, if it does."""
    try:
        for form in (pattern, folded_pattern(pattern)):
            regex, _ = glob_regex(form)
            if "[" in pattern:  # only a range can still be wrong, and compiling is what costs
                re.compile(regex)
    except BadGlob as problem:
        return str(problem)
    except re.error as problem:
        return f"glob {pattern!r} has a bad [ ] range: {problem}"
    return None


HFS_IGNORABLE = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"


def folded(path: str) -> str:
    """`path` as the laxest file system would see it: case, composition, invisible marks, trailing dots."""
    if not path.isascii():
        path = re.sub(HFS_IGNORABLE, "", unicodedata.normalize("NFC", path))
    path = path.casefold()
    if not re.search(r"[.: ](?:/|$)|:|~1", path):
        return path
    segments = (segment.partition(":")[0].rstrip(". ") or segment for segment in path.split("/"))
    return "/".join(".git" if segment == "git~1" else segment for segment in segments)


def matcher(patterns: Iterable[str], suffix: str) -> Callable[[str], bool]:
    """One predicate for many globs. Those with groups stay apart: together sre would copy their marks."""
    anywhere, plain, grouped = [], [], []
    for pattern in patterns:
        regex, has_groups = glob_regex(pattern)
        if has_groups:
            grouped.append(regex)
        elif regex.startswith(ANYWHERE):
            anywhere.append(regex[len(ANYWHERE) :])
        else:
            plain.append(regex)
    plain += [f"{ANYWHERE}(?:{'|'.join(anywhere)})"] if anywhere else []
    joined = ["|".join(plain)] if plain else []
    matches = [re.compile(f"(?s:(?:{regex}){suffix})\\Z").match for regex in joined + grouped]
    return lambda path: any(match(path) for match in matches)


def lazy(make: Callable[[], Callable[[str], bool]]) -> Callable[[str], bool]:
    """A predicate that is made when it is first asked: most ticks never meet a path that asks."""
    made: list[Callable[[str], bool]] = []

    def ask(path: str) -> bool:
        if not made:
            made.append(make())
        return made[0](path)

    return ask


def allow_matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Strict: the whole path, case and all (git's `:(glob)`)."""
    return matcher(patterns, "")


def protect_matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Generous: the path or any folder above it, as it is or as the laxest file system would see it."""
    patterns = tuple(patterns)
    lax = matcher([folded_pattern(pattern) for pattern in patterns], BELOW)
    exact = lazy(lambda: matcher(patterns, BELOW))
    has_classes = any("[" in pattern for pattern in patterns)

    def is_protected(path: str) -> bool:
        seen = folded(path)
        # Folding both sides loses nothing but in classes and odd names: only those are asked twice.
        return lax(seen) or ((has_classes or seen != path.lower()) and exact(path))

    return is_protected


BELOW = "(?:/.*)?"


def folded_pattern(pattern: str) -> str:
    return unicodedata.normalize("NFC", pattern).casefold()
