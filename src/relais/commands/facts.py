"""relais facts: what the Brain should know for good."""

from __future__ import annotations

import os

from relais.commands.output import Arguments, Usage, emit
from relais.settings.load import opened
from relais.text.words import clip, visible
from relais.typed import Sequence
from relais.world.files import read_bytes, write_atomic
from relais.world.lock import lock


def command_facts(args: Arguments) -> int:
    """What the Brain should know for good, one line each in FACTS.md; everything else in that file stays as it is."""
    repo, config = opened(args.directory)
    path = os.path.realpath(os.path.join(repo.root, config.workspace_dir, "FACTS.md"))
    lines = read_bytes(path).splitlines(keepends=True) if os.path.lexists(path) else []
    if args.action != "list":
        with lock(repo, config):
            lines = {"add": with_fact, "rm": without_fact}[args.action](lines, args.text)
            write_atomic(path, b"".join(lines))
    facts = [line[2:].decode("utf-8", "backslashreplace").strip() for line in lines if is_fact(line)]
    emit(args, {"facts": facts}, [f"{n}. {visible(fact)}" for n, fact in enumerate(facts, 1)] or ["no facts yet"])
    return 0


def is_fact(line: bytes) -> bool:
    return line.startswith(b"- ")


def with_fact(lines: Sequence[bytes], words: Sequence[str]) -> list[bytes]:
    fact = visible(" ".join(" ".join(words).split()))
    if not fact:
        raise Usage("say the fact: relais facts add TEXT")
    gap = b"" if not lines or lines[-1].endswith(b"\n") else b"\n"
    return [*lines, gap, f"- {fact}\n".encode("utf-8", "backslashreplace")]


def without_fact(lines: Sequence[bytes], words: Sequence[str]) -> list[bytes]:
    places = {str(n): place for n, place in enumerate((p for p, line in enumerate(lines) if is_fact(line)), 1)}
    if " ".join(words) not in places:
        raise Usage(f"there is no fact {visible(clip(' '.join(words), 40))}; type: relais facts list")
    return [line for place, line in enumerate(lines) if place != places[" ".join(words)]]
