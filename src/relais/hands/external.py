"""An external command carries the task out."""

from __future__ import annotations

import contextlib
import os

from relais.agents.call import DRIVER_OUTPUT_BYTES, call_agent, enforce_call, failed_call
from relais.agents.confinement import child_environment
from relais.contract.evidence import parents
from relais.contract.findings import Ran, Reply
from relais.contract.task import Task
from relais.ground.put_back import quarantine
from relais.ground.snapshot import prepare_for_crash
from relais.hands.agent import take_result
from relais.notebook.run import Run
from relais.rules.checks import expanded
from relais.rules.tables import HANDS_RULES
from relais.text.documents import json_or_none
from relais.world.files import ensure_folder, has_link_above, read_bytes, remove
from relais.world.host import find_program


def build_with_cursor(run: Run, task: Task) -> None:
    """An external driver: it reads TASK.json, works, and writes its result where the configuration says."""
    driver, output = run.config.builder.cursor, os.path.join(run.repo.root, run.config.builder.cursor.output_file)
    clear_output_file(run)
    run.spend(builder_calls=1)
    prepare_for_crash(run)
    places = {"task_file": run.file("TASK.json"), "output_file": output, "repo_root": run.repo.root}
    program = find_program(driver.command, run.repo.root) or driver.command
    argv = [program, *(expanded(arg, places) for arg in driver.args)]
    env = child_environment(run, "for-builder", "builder", argv)
    env.update((f"RELAIS_{name.upper()}", path) for name, path in places.items())

    def read(ran: Ran) -> Reply:  # the result is taken away whatever became of the call
        text = taken_output(run)
        return failed_call(ran) or Reply(text=text)

    def has_result() -> bool:
        with contextlib.suppress(OSError):
            return json_or_none(read_bytes(output, DRIVER_OUTPUT_BYTES).decode("utf-8", "replace")) is not None
        return False

    reply = call_agent(run, "builder", argv, env=env, timeout=driver.timeout_seconds, read=read, has_result=has_result)
    enforce_call(run, HANDS_RULES, reply)
    take_result(run, reply.text)


def clear_output_file(run: Run) -> None:
    """Have a folder for the driver's result and nothing in its place: what an earlier driver left there is kept."""
    path = run.config.builder.cursor.output_file
    if os.path.dirname(path):
        ensure_folder(run.repo.root, os.path.dirname(path))
    quarantine(run, run.tree, path, "driver")
    for changed in (*reversed(list(parents(path))), path):
        run.tree.record(changed)


def taken_output(run: Run) -> str:
    """What the driver wrote as its result, taken away before the Judge looks: no link is followed, nothing huge is read."""
    path = run.config.builder.cursor.output_file
    if has_link_above(run.repo.root, os.path.dirname(path)):
        return ""
    with contextlib.suppress(OSError):
        run.driver_output = read_bytes(os.path.join(run.repo.root, path), DRIVER_OUTPUT_BYTES)
        remove(os.path.join(run.repo.root, path))
    quarantine(run, run.tree, path, "driver")  # what is still there is a link, a pipe or a folder
    return run.driver_output.decode("utf-8", "replace")
