"""A patch as text: the paths that its headers name, and its lines with the ends that a file has."""

from __future__ import annotations

import re

from relais.typed import Container, Iterator

PATCH_HEADER = r'(?m)^(?:--- |\+\+\+ |(?:rename|copy) (?:from|to) )"?(?:[ab]/)?([^\t\n"]+)'
OLD_PATH = re.compile(r"--- (?:a/)?([^\t\n]+)")
HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def named_paths(patch: str) -> list[str]:
    """Every path that a header of the patch names, those inside of hunks that look like one too."""
    return [path for path in re.findall(PATCH_HEADER, patch) if path != "/dev/null"]


def with_crlf(patch: str, paths: Container[str]) -> str:
    """The patch with CRLF at the end of every line of a file that has it: who wrote the patch saw lines, not their ends."""
    return "\n".join(lines_with_crlf(patch.split("\n"), paths))


def lines_with_crlf(lines: list[str], paths: Container[str]) -> Iterator[str]:
    is_wanted, old, new = False, 0, 0  # lines that are left of a hunk, on both sides
    for line in lines:
        if old > 0 or new > 0:
            old -= line[:1] in ("", " ", "-")
            new -= line[:1] in ("", " ", "+")
            yield f"{line or ' '}\r" if is_wanted and line[:1] != "\\" else line
            continue
        header, hunk = OLD_PATH.match(line), HUNK.match(line)
        if header:
            is_wanted = header[1] in paths
        if hunk:
            old, new = (1 if count is None else int(count) for count in hunk.groups())
        yield line
