"""relais status: where things stand, and what comes next."""

from __future__ import annotations

import os

from relais.commands.output import Arguments, emit, hints, paper, question_lines, quick_state, run_line, screen_of
from relais.contract.findings import Halt
from relais.contract.state import Digest, budgets_of
from relais.report.render import without_cost
from relais.settings.load import load_config, quick_config
from relais.text.documents import encode, json_or_none
from relais.text.words import visible
from relais.typed import Iterator, Json, Optional
from relais.world.files import read_text
from relais.world.lock import Holder, is_gone, lock_holder
from relais.world.repo import Repo, open_repo
from relais.world.screen import Screen


def command_status(args: Arguments) -> int:
    repo = open_repo(args.directory)
    if args.preflight:
        return obey_preflight(args, repo)
    config = quick_config(repo)
    workspace = os.path.join(repo.root, config.workspace_dir)
    state, problem = quick_state(workspace)
    holder = quick_holder(os.path.join(repo.root, config.runner.lockfile))
    blocked = read_text(os.path.join(workspace, "BLOCKED.json"))
    document: Json = {
        "milestone_id": state.milestone_id,
        "budgets": {b.name: {"spent": b.spent, "cap": b.cap} for b in budgets_of(state, config.budgets)},
        "reported_cost_usd": state.budgets.estimated_cost_usd,
        "calls_without_cost": state.budgets.calls_without_cost,
        "max_estimated_cost_usd": config.budgets.per_milestone.max_estimated_cost_usd,
        "budget_warning": state.budget_warning,
        "last_run_id": state.last_run_id,
        "last_code": state.last_code,
        "recent": encode(state.recent),
        "question": encode(state.question),
        "lock": encode(holder),
        "blocked": json_or_none(blocked),
        "problem": problem,
        "interrupted": os.path.lexists(os.path.join(workspace, "inflight.json")) and holder is None,
    }
    emit(args, document, status_lines(document, paper(screen_of(args))))
    return 0


def obey_preflight(args: Arguments, repo: Repo) -> int:
    from relais.commands.run import preflight_only

    return preflight_only(args, repo, load_config(repo))


def quick_holder(path: str) -> Optional[Holder]:
    try:
        holder = lock_holder(path)
    except Halt:
        return None
    return None if holder is None or is_gone(holder) else holder


def status_lines(document: Json, screen: Screen) -> Iterator[str]:
    yield f"milestone   {visible(document['milestone_id'] or '(none yet)')}"
    for name, count in document["budgets"].items():
        length = max(4, min(20, screen.width - 42)) if screen.is_live else 20
        filled = min(length, int(length * count["spent"] / max(count["cap"], 1)))
        yield f"{name:<24} {'█' * filled}{'░' * (length - filled)} {count['spent']} of {count['cap']}"
    told = f"{document['reported_cost_usd']:.2f} of {document['max_estimated_cost_usd']:.2f} USD (shown, never a limit)"
    yield f"cost as reported         {told}{without_cost(document['calls_without_cost'])}"
    if document["budget_warning"]:
        yield "budget critical"
    yield f"last run    {document['last_run_id'] or '(none)'} {document['last_code'] or ''}".rstrip()
    yield from (run_line(Digest(**row), screen) for row in document["recent"])
    if document["lock"]:
        yield f"at work     process {document['lock']['pid']} since {visible(document['lock']['started_at'])}"
    if document["problem"]:
        yield visible(document["problem"])
    yield from next_lines(document)


def next_lines(document: Json) -> Iterator[str]:
    """What comes next, and what to type for it."""
    blocked = document["blocked"]
    if document["interrupted"]:
        yield "next        a tick was cut off"
        yield from hints(["relais recover"])
    elif document["question"]:
        yield "next        a question waits for you"
        yield from (f"  {line}" for line in question_lines(document["question"]))
        yield from hints(["relais answer TEXT"])
    elif isinstance(blocked, dict):
        yield f"blocked     {visible(str(blocked.get('code')))}: {visible(str(blocked.get('reason')))}"
        remedies = blocked.get("remediation")
        yield from hints(str(remedy) for remedy in (remedies if isinstance(remedies, list) else ()))
    elif not document["lock"]:
        yield from hints(["relais run"])
