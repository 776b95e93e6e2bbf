"""relais drill: hostile builders, checks and hooks, each through the real tick, and whether its guard held."""

from __future__ import annotations

import json
import os

from relais.commands.arena import Arena, attack_command
from relais.commands.attack_table import ATTACKS, Attack
from relais.commands.demo import Stage, demo_task
from relais.commands.output import Arguments, Usage, emit, screen_of
from relais.contract.codes import EXIT_STATUS, Verdict
from relais.contract.config import Config
from relais.contract.findings import unfit
from relais.settings.load import opened
from relais.text.documents import encode, merged
from relais.text.words import counted
from relais.typed import Iterator, Json, NamedTuple, Sequence
from relais.world.files import read_text
from relais.world.repo import Repo
from relais.world.sandbox import READ_ONLY_WORKSPACE, working_sandbox
from relais.world.screen import Screen

ARENAS = 2  # attacks wait more than they work


class Drilled(NamedTuple):
    """One guard that was attacked: what came of it, and what was not as before."""

    guard: str
    attack: str
    verdict: str
    fired: bool
    restored: bool
    tried: bool = True
    differs: tuple[str, ...] = ()


def command_drill(args: Arguments) -> int:
    """Hostile builders, each through the real tick in a throw-away clone with the real configuration."""
    guards = tuple(dict.fromkeys(attack.guard for attack in ATTACKS))
    if args.guard not in (None, *guards):
        raise Usage(f"there is no guard {args.guard}; there are: {', '.join(guards)}")
    repo, config = opened(args.directory)
    screen, sandbox = screen_of(args), sandbox_here()
    attacks = [attack for attack in ATTACKS if args.guard in (None, attack.guard)]
    rows = []
    for row in drill_all(attacks, repo, config, sandbox):
        rows.append(row)
        show(screen, row)
    lacking = lacks(config, sandbox)
    failed = [row for row in rows if row.tried and not (row.fired and row.restored)]
    document = {"ok": not failed, "drills": [encode(row) for row in rows], "lacks": lacking}
    emit(args, document, [*(f"not guarded: {line}" for line in lacking), summary(rows, len(failed))])
    return EXIT_STATUS[Verdict.STOP] if failed else 0


def summary(rows: Sequence[Drilled], failed: int) -> str:
    tried = sum(row.tried for row in rows)
    word = f"{counted(failed, 'guard')} did NOT hold" if failed else "every guard fired, everything was restored"
    untried = f"; {len(rows) - tried} could not be tried here" if tried < len(rows) else ""
    return f"{counted(tried, 'attack')}: {word}{untried}"


def show(screen: Screen, row: Drilled) -> None:
    mark = "–" if not row.tried else "✔" if row.fired and row.restored else "✘"
    state = f"  NOT restored: {', '.join(row.differs[:3])}" if row.differs else ""
    screen.line(f"{mark} {row.guard:<14} {row.attack:<58} {row.verdict}{state}")


def sandbox_here() -> str:
    """Which kind of sandbox holds on this machine."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="relais-drill-") as folder:
        return working_sandbox(os.path.join(folder, "probe"))


def lacks(config: Config, sandbox: str) -> list[str]:
    """The guards that this configuration or this machine does without: the drill cannot vouch for them."""
    wanted, checks = config.runner.sandbox, config.verification
    return [
        line
        for is_lacking, line in (
            (sandbox == "none", "nothing confines a builder on this machine (relais doctor says why)"),
            (sandbox == "landlock", "Landlock confines here: .git, relais/ and other processes are the Judge's alone"),
            (wanted == "off", "builders are not confined (runner.sandbox is off)"),
            (checks.sandbox == "off", "checks are not confined (verification.sandbox)"),
            (
                not checks.required_fast and not checks.required_slow,
                "no check is required (verification.required_fast)",
            ),
            (not config.scope.secret_scan, "nothing is scanned for secrets (scope.secret_scan)"),
            (not config.scope.protected_globs, "no test is protected from being weakened (scope.protected_globs)"),
            (not config.git.run_hooks, "your commit hooks are not run (git.run_hooks)"),
        )
        if is_lacking
    ]


def why_untried(attack: Attack, config: Config, sandbox: str) -> str:
    """What an attack would find open because this configuration or this machine has no guard there."""
    if attack.guard == "secrets" and not config.scope.secret_scan:
        return "scope.secret_scan is off"
    if attack.setting in ("confined", "apart") and sandbox == "none":
        return "nothing confines here"
    if attack.setting == "apart" and sandbox not in READ_ONLY_WORKSPACE:
        return f"{sandbox} does not hold this"
    return ""


def drill_all(attacks: Sequence[Attack], repo: Repo, config: Config, sandbox: str) -> Iterator[Drilled]:
    """Every attack in one of two clones, two at a time; what came of them, in the order of the table."""
    from concurrent.futures import ThreadPoolExecutor
    from queue import SimpleQueue

    free: SimpleQueue[Arena] = SimpleQueue()
    arenas: list[Arena] = []

    def arena() -> Arena:
        arenas.append(Arena(repo, config))
        return arenas[-1]

    def fight(attack: Attack) -> Drilled:
        reason = why_untried(attack, config, sandbox)
        if reason:
            return Drilled(attack.guard, attack.what, f"({reason})", False, False, tried=False)
        place = free.get()
        try:
            return drilled(attack, place)
        finally:
            free.put(place)

    try:
        with ThreadPoolExecutor(ARENAS) as pool:
            for future in [pool.submit(arena) for _ in range(min(ARENAS, len(attacks)))]:
                free.put(future.result())
            yield from pool.map(fight, attacks)
    finally:
        for made in arenas:
            made.remove()


def drilled(attack: Attack, arena: Arena) -> Drilled:
    """One attack, and whether it was seen and undone; where it was not, the next one gets a new clone."""
    arena.enter(attack.setting)
    document = played(attack, arena)
    said = json.dumps(document["budgets"]["warnings"])
    is_shown_raw = "\x1b" in read_text(os.path.join(arena.stage.repo, arena.config.workspace_dir, "REPORT.md"))
    fired = document["code"] == attack.expected and attack.says in said and not is_shown_raw
    differs = tuple(arena.differences())
    if differs or not fired:
        arena.make_anew()
    return Drilled(attack.guard, attack.what, document["code"], fired, not differs, differs=differs)


def played(attack: Attack, arena: Arena) -> Json:
    """The tick in which it happens; its report."""
    stage: Stage = arena.stage
    task = demo_task(0, f"Attack: {attack.what}", scope={"allowed_globs": ["drill/**"]}, verification={"fast": []})
    task = {key: value for key, value in merged(task, dict(attack.task)).items() if value is not None}
    result = {
        "summary": "done",
        "files_intended": [],
        "commands_ran": [],
        "notes": [],
        "status": attack.answers,
    }
    runs = [] if "attack" in task["verification"]["fast"] else attack_command(stage, arena.config, attack.function)
    document = stage.play(task=task, runs=runs, result=result)
    if "budgets" not in document:  # nothing was begun: no guard was tried
        detail = f"the drill cannot begin in a clone of what is committed here: {document['reason']}"
        raise unfit(detail, "commit or mend what it names, then: relais drill")
    return document
