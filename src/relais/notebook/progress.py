"""Milestones, tasks that came before, ticks that led nowhere."""

from __future__ import annotations

import json
import os

from relais.contract.codes import CONFIG_FILE, GOAL_TO_WRITE, Code
from relais.contract.findings import halt
from relais.contract.state import Ledger
from relais.contract.task import Task
from relais.notebook.run import Run
from relais.text.documents import encode
from relais.typed import cast
from relais.world.files import ensure_folder, read_json, read_text, write_json
from relais.world.host import digest_of, quoted


def changed_milestone(run: Run) -> list[str]:
    """The milestone a task went on to, where the loop is for the one before."""
    before, now = run.state.milestone_id, cast(Task, run.task).milestone_id
    return [f"{before} → {now}"] if run.keeps_milestone and before not in (None, now) else []


def fingerprint(run: Run) -> str:
    """What a task asks for, its ids aside, under this configuration and on this commit."""
    asked = {key: value for key, value in run.task_document.items() if key not in ("task_id", "milestone_id")}
    return short_digest(
        json.dumps(asked, sort_keys=True), read_text(os.path.join(run.repo.root, CONFIG_FILE)), run.base
    )


def standing(run: Run) -> str:
    """What must change before a Brain that got nowhere can be expected to get somewhere."""
    paths = (run.file("GOAL.md"), run.file("FACTS.md"), os.path.join(run.repo.root, CONFIG_FILE))
    return short_digest(run.base, *map(read_text, paths), json.dumps(encode(run.state.answers)))


def short_digest(*texts: str) -> str:
    return digest_of("\0".join(texts).encode("utf-8", "replace")).hex()[:16]


def goal(run: Run) -> str:
    """What the person wants; "" where they have not said it yet."""
    text = read_text(run.file("GOAL.md")).strip()
    return "" if text == GOAL_TO_WRITE else text


def idle_ticks(run: Run) -> int:
    """How many ticks in a row brought no commit while nothing changed that could help."""
    return run.state.idle_ticks if run.state.idle_since == standing(run) else 0


def adopt_milestone(run: Run, milestone: str) -> None:
    """Each milestone has its own ledger; the old one is archived, and a milestone that returns finds its own again."""
    state = run.state
    if state.milestone_id not in (None, milestone):
        folder = ensure_folder(run.repo.root, f"{run.config.history.dir}/milestones")
        spent_here = {name: -getattr(run.spent, name) for name in Ledger._fields}
        write_json(os.path.join(folder, f"{state.milestone_id}.json"), encode(state.budgets.plus(**spent_here)))
        for path in (folder, os.path.join(folder, f"{state.milestone_id}.json"), os.path.dirname(folder)):
            run.tree.record(run.relative(path))
        archived = archived_ledger(os.path.join(folder, f"{milestone}.json"))
        run.state = state = state._replace(budgets=archived.plus(**run.spent._asdict()))
    if state.milestone_id != milestone:
        run.state = state._replace(milestone_id=milestone)
        run.save_state()


def archived_ledger(path: str) -> Ledger:
    if not os.path.lexists(path):
        return Ledger()
    try:
        ledger = Ledger(**read_json(path))
        if all(isinstance(amount, (int, float)) and amount >= 0 for amount in ledger):
            return ledger
    except (OSError, ValueError, TypeError):
        pass
    remedy = f"mv {quoted(path)} {quoted(path + '.damaged')}"
    raise halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, f"{path} is damaged", remedies=(remedy,))
