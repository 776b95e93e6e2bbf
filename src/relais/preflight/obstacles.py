"""A1's questions: what stands in the way of a tick."""

from __future__ import annotations

import os

from relais.contract.state import State, caps_reached, caps_too_near
from relais.notebook.progress import goal, idle_ticks
from relais.notebook.run import Run
from relais.settings.recipes import AGENTS
from relais.text.documents import Invalid, decode, json_or_none
from relais.text.words import clip, counted, visible
from relais.typed import Optional, Sequence, cast
from relais.world.files import read_json, read_text, write_derived
from relais.world.host import find_program, quoted
from relais.world.looks import regular_files, walk
from relais.world.vault import load_journal


class Obstacles:
    """The evidence of A1, asked row by row: what an earlier row found to be in order, a later one may rely on."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def unfinished_elsewhere(self) -> list[str]:
        """Where else the state folder was for a run whose builder may have been at work when its runner died."""
        foreign = foreign_vault(self.run)
        state_home = os.path.dirname(os.path.dirname(foreign or ""))
        marker = self.run.relative(self.run.file("inflight.json"))
        return [f"{quoted(state_home)}: {marker} says so"] if foreign else []

    def unfinished_runs(self) -> list[str]:
        """Runs whose builder may have been at work when their runner died."""
        run = self.run
        if not run.vault.has_journal:
            return []
        journal = load_journal(run.vault)
        return [journal.run_id if journal else f"its journal {run.vault.path('journal')} is damaged"]

    def dirty_paths(self) -> Sequence[str]:
        return self.run.repo_status.dirty

    def history_excess(self) -> list[str]:
        """How far the history is over its cap."""
        cap = self.run.config.history.max_mb
        megabytes = history_bytes(self.run) / 1e6
        return [f"{megabytes:.1f} MB of {cap:g} MB"] if megabytes > cap else []

    def damaged_files(self) -> list[str]:
        return damaged_files(self.run)

    def missing_agents(self) -> list[str]:
        """The agents that cannot be started, each with the command that would install it."""
        needed = dict.fromkeys(self.run.config.agents.values())
        missing = [command for command in needed if not find_program(command, self.run.repo.root)]
        return [f"{command} ({AGENTS[command].install})" if command in AGENTS else command for command in missing]

    def missing_goal(self) -> list[str]:
        return [] if goal(self.run) else [self.run.relative(self.run.file("GOAL.md"))]

    def output_file_faults(self) -> list[str]:
        """What is in the way of a driver's result: it must not take the place of anything of the person's or the runner's."""
        driver, workspace = self.run.config.builder.cursor, self.run.config.workspace_dir
        target = os.path.join(self.run.repo.root, driver.output_file)
        if driver.output_file.startswith(f"{workspace}/out/"):
            is_bad = os.path.isdir(target)
        else:
            is_bad = driver.output_file.startswith(f"{workspace}/") or os.path.lexists(target)
        return [f"builder.cursor.output_file: {driver.output_file}"] if driver.command and is_bad else []

    def pending_question(self) -> list[str]:
        return [self.run.state.question.prompt] if self.run.state.question else []

    def idleness(self) -> list[str]:
        """How long nothing came of anything, where that is too long."""
        idle = idle_ticks(self.run)
        return [counted(idle, "tick")] if idle >= 2 * self.run.config.loop.stuck_after else []

    def caps_reached(self) -> list[str]:
        return caps_reached(self.run.state, self.run.config.budgets)

    def caps_too_near(self) -> list[str]:
        return caps_too_near(self.run.state, self.run.config)


def foreign_vault(run: Run) -> Optional[str]:
    """Where an unfinished run has its vault, if it was started with another home than ours."""
    marker = json_or_none(read_text(run.file("inflight.json")))
    folder = marker.get("vault") if isinstance(marker, dict) else None
    is_there = isinstance(folder, str) and os.path.lexists(os.path.join(folder, "journal"))
    return folder if is_there and folder != run.vault.folder else None


def history_bytes(run: Run) -> int:
    """The size of the history. What a run measured once is believed, until it would be too much."""
    folder, sizes = os.path.join(run.repo.root, run.config.history.dir), run.vault.read("sizes") or {}
    cap = run.config.history.max_mb * 1e6
    names = os.listdir(folder) if os.path.isdir(folder) else []
    for known in (sizes, {}):
        found = {name: known.get(name) or folder_bytes(os.path.join(folder, name)) for name in names}
        if sum(found.values()) <= cap:
            break
    if found != sizes:
        run.vault.write("sizes", found, write_derived)
    return sum(found.values())


def folder_bytes(path: str) -> int:
    """The space that a file takes, or all files below a folder: one with holes may be larger than the disk."""
    if not os.path.isdir(path) or os.path.islink(path):
        return os.lstat(path).st_blocks * 512
    paths = (f"{path}/{name}" for name, _, _ in regular_files(walk(path, lambda *_: False)))
    return sum(os.lstat(path).st_blocks * 512 for path in paths)


def damaged_files(run: Run) -> list[str]:
    """A1, row 6: runner-owned JSON that does not parse or fits no schema. A good STATE.json is taken up here."""
    damaged = []
    strict = run.config.runner.crash_cleanup.validate_runner_json_files
    for name in ("STATE", "TASK", "REPORT", "BLOCKED"):
        path = run.file(f"{name}.json")
        if not os.path.lexists(path):
            continue
        try:
            document = read_json(path)
            version = document.get("schema_version") if isinstance(document, dict) else None
            if name == "STATE" and isinstance(version, int) and version > State().schema_version:
                raise Invalid("written by a newer relais")
            if strict or name == "STATE":
                run.admit(name.lower(), document)
        except (OSError, ValueError) as problem:
            damaged.append(f"{run.relative(path)}: {visible(clip(str(problem), 200))}")
            continue
        if name == "STATE":
            run.state = cast(State, decode(State, {"total": document["budgets"], **document}))
    return damaged
