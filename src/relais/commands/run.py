"""relais run: one tick, and what people see of it; status --preflight."""

from __future__ import annotations

import contextlib
import json
import os

from relais.brain.stage import orchestrate
from relais.commands.output import Arguments, emit, exit_status, hints, paper, report_lines, screen_of
from relais.contract.codes import CONFIG_FILE, Code
from relais.contract.config import Config
from relais.contract.findings import SUCCESS, Halt
from relais.ground.snapshot import take_snapshot
from relais.notebook.run import Run
from relais.preflight.stage import clean_up, preflight
from relais.settings.load import opened
from relais.text.documents import strict_json
from relais.text.harmless import for_problem_place
from relais.tick.tick import tick
from relais.typed import Iterator, Json
from relais.world.claim import claimed, refuse_dispute, visited
from relais.world.files import read_text
from relais.world.git import GitError
from relais.world.lock import alone, lock
from relais.world.processes import Interrupt, adopt_orphans
from relais.world.refusals import system_finding
from relais.world.repo import Repo


def attended_run(args: Arguments) -> Run:
    """The notebook of a tick in the repository that the arguments name, with signals looked after."""
    repo, config = opened(args.directory)
    interrupt = Interrupt()
    interrupt.install()
    return Run(repo, config, interrupt, screen_of(args))


def command_run(args: Arguments) -> int:
    run = attended_run(args)
    if args.dry_run:
        return dry_run(args, run)
    with lock(run.repo, run.config):  # 1 LOCK, released at 7 END
        document = tick(run)
    show_report(args, run, document)
    return exit_status(Code(document["code"]), run.interrupt, retry_at=document.get("error", {}).get("retry_at"))


def dry_run(args: Arguments, run: Run) -> int:
    """Stop after the Brain's validated task: nothing is built, but the call is counted."""
    with lock(run.repo, run.config):
        adopt_orphans()
        run.vault = claimed(run.repo)
        clean_up(run)
        preflight(run)
        take_snapshot(run)
        orchestrate(run)
        run.save_state()
    task = run.task_document
    emit(args, {"code": "SUCCESS", "task": task}, json.dumps(task, indent=2).splitlines())
    return 0


def show_report(args: Arguments, run: Run, document: Json) -> None:
    """The last thing a person sees of a tick: verdict, blast radius, what was kept, where to read on."""
    show_problems(run, document)
    if args.quiet and not args.json:
        return
    run.screen.clear()
    default = ("relais run",) if document["verdict"] == "stop" else ()
    remedies = (run.finding.remedies if run.finding else ()) or default
    emit(args, document, report_lines(document, paper(run.screen), remedies))


def show_problems(run: Run, document: Json) -> None:
    for path, number, message in problems(run.repo.root, run.config, document):
        run.screen.problem("error", document["code"], path, number, message)


def problems(root: str, config: Config, document: Json) -> Iterator[tuple[str, int, str]]:
    """Where each finding can still be read after the rollback: path, line, message."""
    code, verdict = document["code"], document["verdict"]
    patch, log = document["diff"]["diff_patch_path"], document["verification"]["verify_log_path"]
    detail = document.get("error", {}).get("detail", code)
    if verdict == "success":
        return
    if code.startswith("STOP_VERIFY_FAILED") and log != "none":
        lines = read_text(os.path.join(root, log)).splitlines()
        starts = [number for number, line in enumerate(lines, 1) if line.startswith("$ ")]
        yield log, starts[-1] if starts else 1, detail
    elif code in (Code.STOP_VERIFY_TAINTED.value, Code.BLOCKED_MISSING_CONFIG.value):
        yield CONFIG_FILE, 1, detail
    elif code == Code.BLOCKED_DIRTY_WORKTREE.value:
        blocked = read_text(os.path.join(root, config.workspace_dir, "BLOCKED.json"))
        with contextlib.suppress(ValueError):
            for path in strict_json(blocked).get("details", ()):
                is_place = path[0] != "(" and for_problem_place(path) == path
                notice = f"{config.workspace_dir}/BLOCKED.json"
                yield (path, 1, "is not committed") if is_place else (notice, 1, f"{path} is not committed")
    elif document["scope"]["violations"] and patch != "none":
        lines = read_text(os.path.join(root, patch)).splitlines()
        for count, violation in enumerate(document["scope"]["violations"]):
            path = violation.partition(" (")[0]
            found = [
                number
                for number, line in enumerate(lines, 1)
                if line.startswith("diff --git ") and line.endswith(f" b/{path}")
            ]
            yield patch, found[0] if found else count + 1, f"{violation}: {detail.partition(':')[0]}"
    elif verdict == "blocked":
        yield f"{config.workspace_dir}/BLOCKED.json", 1, detail
    else:
        yield document["pointers"]["report_md_path"], 1, detail


def preflight_only(args: Arguments, repo: Repo, config: Config) -> int:
    """What `run` would answer now; spends nothing and writes nothing in the repo."""
    run = Run(repo, config, Interrupt(), screen_of(args))
    run.may_write = False
    finding = SUCCESS
    try:
        with alone(repo, config):
            refuse_dispute(repo)
            run.vault = visited(repo)
            preflight(run)
    except Halt as halt:
        finding = halt.finding
    except (OSError, GitError) as problem:
        finding = system_finding(problem)
    lines = (
        ["ready: relais run"]
        if finding is SUCCESS
        else [f"{finding.code.value}: {finding.sentence}", *hints(finding.remedies)]
    )
    emit(
        args,
        {
            "code": finding.code.value,
            "verdict": finding.code.verdict.value,
            "reason": finding.sentence,
            "remediation": list(finding.remedies),
        },
        lines,
    )
    return exit_status(finding.code, retry_at=finding.retry_at)
