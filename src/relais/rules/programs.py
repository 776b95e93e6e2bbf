"""Which commands in git's settings are, or may be, code that a builder can write."""

from __future__ import annotations

import os
import re

from relais.text.paths import lies_in
from relais.typed import Callable, Iterable, Iterator, Mapping, Optional

# Filters that people have everywhere, and that keep things in git's own folder: trusted where they lie outside the repo.
WELL_KNOWN_FILTERS = frozenset(("git-lfs", "git-crypt", "git-annex", "cat"))
# Programs that run what their arguments, or files around them, say.
INTERPRETERS = re.compile(
    "(?:ba|da|z|k|fi)?sh|busybox|python.*|pypy.*|node|deno|bun|perl.*|ruby.*|php.*|lua.*|tclsh.*|java|env|xargs|find|make|"
    "npm|npx|pnpm|yarn|uv|uvx|pipx|poetry|cargo|go|git|awk|gawk|mawk|nice|nohup|time|timeout|sudo|exec|eval|command|source|\\."
)
SHELL_SYNTAX = re.compile(r"[;&|<>()$`\\*?\[\]#~{}!\n]")
COMMAND_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
FILTER_COMMAND = re.compile(r"filter\.(.*)\.(?:clean|smudge|process)")
USED_FILTER = re.compile(rb"\bfilter=(\S+)")


def command_words(command: str) -> list[str]:
    return [re.sub("[\"']", "", word) for word in COMMAND_WORD.findall(command)]


def is_builders(command: str, root: str, find: Callable[[str], Optional[str]]) -> bool:
    """Whether a command lies in the repo, or runs what lies there, or nobody can tell from its words.

    `find` gives the real path of a program, None where there is none.
    """
    words = command_words(command)
    if not words or SHELL_SYNTAX.search(command) or "=" in words[0]:
        return True
    program = find(words[0])
    if program is None:
        return "/" in words[0]
    if lies_in(program, root) or INTERPRETERS.fullmatch(os.path.basename(words[0])):
        return True
    return any(may_lie_in(root, word) for word in words[1:])


def may_lie_in(root: str, word: str) -> bool:
    """Whether an argument names something in the repo: by a relative path, by an absolute one, or behind an option's `=`."""
    value = word.rpartition("=")[2]
    return lies_in(value, root) if value.startswith("/") else "/" in value


def is_well_known(command: str, root: str, find: Callable[[str], Optional[str]]) -> bool:
    words = command_words(command)
    is_plain = bool(words) and not SHELL_SYNTAX.search(command.replace("%f", ""))
    program = find(words[0]) if is_plain and os.path.basename(words[0]) in WELL_KNOWN_FILTERS else None
    return program is not None and not lies_in(program, root)


def filter_commands(settings: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Name, setting and command of every filter that turns files into blobs."""
    for key, command in sorted(settings.items()):
        match = FILTER_COMMAND.fullmatch(key)
        if match and command:
            yield match.group(1), key, command


# What relais's own git starts for the person beside filters: to sign, and to fetch what a partial clone lacks.
SIGNERS = re.compile(r"gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand")
FETCHERS = re.compile(
    r"core\.(?:sshcommand|gitproxy|askpass)|credential\.(?:.*\.)?helper|remote\..*\.(?:uploadpack|vcs)"
)


def builders_programs(
    settings: Mapping[str, str], root: str, find: Callable[[str], Optional[str]], *, signs: bool
) -> list[str]:
    """The settings that would have git start a builder's code."""
    fetches = "extensions.partialclone" in settings
    wanted: Iterable[str] = (
        key for key in sorted(settings) if (signs and SIGNERS.fullmatch(key)) or (fetches and FETCHERS.fullmatch(key))
    )
    return [key for key in wanted if settings[key] and is_builders(settings[key], root, find)]
