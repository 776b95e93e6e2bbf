"""Whatever went wrong becomes a sentence, a BLOCKED.json and an exit status."""

from __future__ import annotations

import contextlib
import os
import sys

from relais.commands.output import Arguments, emit, exit_status, hints
from relais.contract.codes import CONFIG_FILE, EXIT_BUG, Code, Verdict
from relais.contract.findings import Finding, Halt
from relais.notebook.run import blocked_document
from relais.settings.load import quick_config
from relais.text.words import clip, visible
from relais.typed import Iterator, Json, Optional
from relais.world.files import is_inside, write_json
from relais.world.lock import exclusive
from relais.world.repo import Repo, open_repo
from relais.world.screen import Screen


def refuse(args: Arguments, finding: Finding) -> int:
    """Say no before anything was begun; BLOCKED.json says it too where there is a workspace."""
    document = blocked_document(finding)
    place = None
    if args.command.name in ("run", "loop"):
        with contextlib.suppress(OSError, Halt):
            place = leave_notice(open_repo(args.directory), finding.code, document)
    if args.json:
        is_loop = {"reason": "blocked", "detail": document["reason"]} if args.command.name == "loop" else {}
        emit(args, {"verdict": finding.code.verdict.value, **document, **is_loop}, ())
    screen = Screen()
    if finding.detail.startswith(CONFIG_FILE) and not finding.detail.endswith("missing"):
        place = CONFIG_FILE
    if place:
        screen.problem("error", finding.code.value, place, 1, finding.sentence)
    screen.line(f"relais: {finding.code.value}: {visible(finding.sentence)}")
    for line in hints(finding.remedies):
        screen.line(line)
    return exit_status(finding.code, retry_at=finding.retry_at)


def leave_notice(repo: Repo, code: Code, document: Json) -> Optional[str]:
    """BLOCKED.json where there is a workspace; beside a runner at work only the notice that it holds the lock."""
    name = "relais"
    with contextlib.suppress(Halt):
        name = quick_config(repo).workspace_dir
    workspace = os.path.join(repo.root, name)
    with exclusive(repo.root, repo.common_dir) as acquired:
        if (
            os.path.isdir(workspace)
            and is_inside(repo.root, name)
            and code.verdict is Verdict.BLOCKED
            and (acquired or code is Code.BLOCKED_LOCK_HELD)
        ):
            write_json(os.path.join(workspace, "BLOCKED.json"), document)
            return os.path.join(name, "BLOCKED.json")
    return None


def confess(args: Arguments, bug: Exception) -> int:
    """A bug in relais: one sentence, and where the traceback is."""
    text = "".join(f"{visible(line)}\n" for line in story(bug))
    if args.verbose:
        sys.stderr.write(text)
    where = saved_story(text) or "lost: no place to write it"
    if args.json:
        emit(args, {"code": "STOP_INTERRUPTED", "verdict": "stop", "reason": f"bug in relais: {bug!r}"}, ())
    Screen().line(f"relais: this is a bug in relais ({visible(clip(repr(bug), 200))}); the traceback is in {where}")
    return EXIT_BUG


def saved_story(text: str) -> Optional[str]:
    """A new file of ours that holds this text, in the first place for such things that takes it."""
    name = f"relais-bug-{os.urandom(4).hex()}.txt"
    for folder in filter(None, (os.environ.get("TMPDIR"), "/tmp", "/var/tmp")):  # noqa: S108 new, ours
        with contextlib.suppress(OSError):
            path = os.path.join(folder, name)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            with open(handle, "wb") as file:
                file.write(text.encode("utf-8", "backslashreplace"))
            return path
    return None


def story(bug: BaseException, told: tuple[BaseException, ...] = ()) -> Iterator[str]:
    """A traceback without the lines of the sources: what lies on disk may be another's by now."""
    before = bug.__cause__ or (None if bug.__suppress_context__ else bug.__context__)
    if before and before not in (*told, bug):
        yield from story(before, (*told, bug))
        yield "which led to:"
    yield "Traceback (most recent call last):"
    place = bug.__traceback__
    while place:
        code = place.tb_frame.f_code
        yield f'  File "{code.co_filename}", line {place.tb_lineno}, in {code.co_name}'
        place = place.tb_next
    yield f"{type(bug).__name__}: {bug}"
