"""What all commands print, and how they exit."""

from __future__ import annotations

import argparse
import json
import os
import sys

from relais.contract.codes import EXIT_SIGNAL, EXIT_STATUS, EXIT_TRY_LATER, NO_TASK, Code
from relais.contract.state import Digest, State
from relais.report.render import run_time
from relais.settings.admission import validator
from relais.text.documents import decode
from relais.text.harmless import Painted, disarmed, for_terminal
from relais.text.words import blast_line, boxed, clip, columns, fitting, visible
from relais.typed import Iterable, Iterator, Json, Optional, Sequence, cast
from relais.version import __version__
from relais.world.carried import provenance
from relais.world.files import read_json
from relais.world.host import typed
from relais.world.processes import Interrupt
from relais.world.screen import Screen, discard


def named_runs(name: str, run_ids: Iterable[str]) -> list[str]:
    """The runs that a person can mean by an id, or by the end of one."""
    return [run_id for run_id in run_ids if run_id.endswith(name)] if len(name) >= 4 else []


Arguments = argparse.Namespace
# Black or white on a colour: readable on a light terminal as on a dark one. The mark says it without colour.
VERDICT_COLORS = {"success": "1;30;42", "stop": "1;97;41", "blocked": "1;30;43"}
VERDICT_MARKS = {"success": "✔", "stop": "✘", "blocked": "■"}


class Usage(Exception):
    """A mistake in the arguments that argparse cannot see; exit 2."""


def emit(args: Arguments, document: Json, lines: Iterable[str]) -> None:
    """Data on stdout: one JSON object with --json, lines for people otherwise. A closed pipe is no error."""
    # The screen's own guard is on stderr, and nobody keeps the two in order.
    shown = map(disarmed if Screen.token else str, map(for_terminal, lines))
    text = json.dumps(document, ensure_ascii=True) if args.json else "\n".join(shown)
    print_out(text + "\n" if text else "")


def print_out(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError):  # nobody reads any more, and what is buffered must not fail again when Python ends
        discard(1)


def screen_of(args: Arguments) -> Screen:
    return Screen(quiet=args.quiet)


def paper(screen: Screen) -> Screen:
    """What stdout is to write on: the screen, or something plain where it is a file or a pipe."""
    return screen if sys.stdout.isatty() else Screen(quiet=True)


def hints(remedies: Iterable[str]) -> list[str]:
    return [f"hint: {visible(typed(remedy))}" for remedy in remedies]


def exit_status(code: Code, interrupt: Optional[Interrupt] = None, *, retry_at: Optional[str] = None) -> int:
    if interrupt and interrupt.number is not None:
        return EXIT_SIGNAL + interrupt.number
    return EXIT_TRY_LATER if retry_at or code is Code.BLOCKED_RATE_LIMITED else EXIT_STATUS[code.verdict]


def report_lines(document: Json, screen: Screen, remedies: Sequence[str]) -> Iterator[str]:
    """How a tick ended, in a box where people look at it; what to type next stands outside, so that it can be copied."""
    title = f"{VERDICT_MARKS[document['verdict']]} {document['code']}"
    if screen.is_live and screen.width > columns(title) + 6:
        color = VERDICT_COLORS[document["verdict"]] if screen.has_color else ""
        told = map(visible, outcome_lines(document))
        yield from map(Painted, boxed(title, told, min(screen.width, 100), color))
    else:
        yield title
        yield from (f"  {line}" for line in outcome_lines(document))
    if document.get("question"):
        yield from hints(["relais answer TEXT   (or --choice N, or --skip)"])
    yield from hints(remedies)


def outcome_lines(document: Json) -> Iterator[str]:
    if document.get("error"):
        yield visible(document["error"]["detail"])
    if document["task"]["task_id"] != NO_TASK:
        intent = visible(clip(" ".join(document["task"]["intent"].split()), 200))
        yield f"{visible(document['task']['task_id'])}: {intent}"
        yield blast_line(document["blast_radius"])
    if document.get("commit"):
        yield f"commit {document['commit']['id'][:12]} on {visible(document['commit']['branch'])}"
    if document.get("rollback"):
        saved = document["rollback"].get("rescue_ref")
        state = "rolled back" if document["rollback"]["ok"] else "NOT completely rolled back"
        yield state + (f"; the work is kept: git show {saved}" if saved else "")
    if document.get("question"):
        yield from question_lines(document["question"])
    yield f"report: {document['pointers']['report_md_path']}"


def quick_state(workspace: str) -> tuple[State, Optional[str]]:
    """STATE.json where it is sound, else an empty one and a word about it: `status` never fails."""
    path = os.path.join(workspace, "STATE.json")
    if not os.path.lexists(path):
        return State(), None
    try:
        document = read_json(path)
        validator("state", "", "")(document)
        return cast(State, decode(State, document)), None
    except (OSError, ValueError):
        return State(), "STATE.json is damaged; type: relais status --preflight"


def question_lines(question: Json) -> Iterator[str]:
    yield visible(question["prompt"])
    yield from (f"  {n}. {visible(choice)}" for n, choice in enumerate(question.get("choices", ()), 1))


def run_line(digest: Digest, screen: Screen, more: str = "") -> str:
    """A run as one line of a table, within the screen."""
    verdict = Code(digest.code).verdict.value if digest.code in Code.__members__ else "stop"
    mark = VERDICT_MARKS[verdict]
    if screen.has_color:
        mark = f"\x1b[{VERDICT_COLORS[verdict]}m{mark}\x1b[0m"
    start = f"{run_time(digest.run_id)}  {digest.run_id[-4:]}"
    if screen.is_live and screen.width <= 120:
        return Painted(f"{mark} {fitting(visible(f'{start}  {digest.code}  {digest.intent}'), screen.width - 2)}")
    rest = visible(f"{start}  {digest.code:<36}  {more}{digest.intent}  ({digest.blast})")
    return Painted(f"{mark} {fitting(rest, screen.width - 2) if screen.is_live else rest}")


def the_run(name: str, run_ids: Iterable[str], kind: str) -> str:
    """The one run that a person means; Usage where there is none, or more than one."""
    found = named_runs(name, run_ids)
    if len(found) != 1:
        raise Usage(f"{name} could be any of: {', '.join(found[:5])}" if found else f"{name} is no {kind}")
    return found[0]


def edition() -> str:
    return f"relais {__version__} ({provenance()})"
