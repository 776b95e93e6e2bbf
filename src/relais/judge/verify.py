"""The project's own checks and hooks; then nothing may have changed."""

from __future__ import annotations

import os

from relais.agents.call import bounded
from relais.agents.confinement import child_environment, jail
from relais.contract.codes import OUTPUT_TAIL_CHARS, OUTPUT_TAIL_LINES, Code, ErrorKind, Phase, TaskKind
from relais.contract.evidence import Evidence, Fence, Touched, entry_of
from relais.contract.findings import Finding, Halt, Ran, first_match, halt
from relais.contract.task import Check, CheckRun, Control, Task
from relais.ground.put_back import put_back
from relais.judge.commit import commit_message
from relais.judge.git_folder import inspect_git
from relais.judge.survey import parted, settled_changes
from relais.notebook.run import Ground, Run
from relais.rules.tables import JUDGE_RULES_AFTER_CHECKS
from relais.text.words import clip, shortened, visible
from relais.typed import Iterator, Mapping, Optional, Sequence, cast
from relais.world.child import Call, execute
from relais.world.files import read_bytes, read_text, write_derived
from relais.world.vault import dump_marshal

LOG_BYTES_PER_COMMAND = 200_000


def verify(run: Run) -> None:
    """A5, rows 3–4: fast then slow, the first failure ends it; then nothing may have changed."""
    if not run.plan.checks and not run.config.git.run_hooks:
        return
    tree = run.tree
    judged = judged_ground(run, tree)
    for check in run.plan.checks:
        spend_late(run, judged, verify_runs=1)
        finding = failure(check, run_check(run, check))
        if finding and run.control:
            run.control = Control("continue", clip(f"not done: {finding.detail}", 400))
            run.warn(f"the claim to be done was refused: {finding.detail}")
            break
        if finding:
            raise Halt(finding)
    if run.config.git.run_hooks and run.config.git.commit_on_success and run.touched.changes:
        run_hooks(run)
    recheck(run, judged, "verification")


def spend_late(run: Run, *grounds: Ground, **amounts: float) -> None:
    """Count what comes after the builder where a recovery will find it too: it believes no STATE.json of the builder's time."""
    run.spend(**amounts)
    dump_marshal(run.vault.path("spent"), (run.run_id, tuple(run.spent)))
    for ground in (run.tree, *grounds):
        ground.record(run.relative(run.file("STATE.json")))


def judged_ground(run: Run, tree: Ground) -> Ground:
    """The work tree as it was judged, and the bytes to bring just that back."""
    paths = [change.path for change in run.touched.changes if change.after and change.after.kind == "file"]
    manifest = dict(tree.look())
    run.vault.keep((f"judged/{path}", f"{tree.root}/{path}", entry_of(manifest, path) or b"") for path in paths)

    def contents(wanted: Sequence[str]) -> Iterator[tuple[str, Optional[bytes]]]:
        held = [path for path in wanted if f"judged/{path}" in run.vault.table]
        yield from ((path, run.vault.content(f"judged/{path}")) for path in held)
        yield from tree.contents([path for path in wanted if path not in held])

    return Ground(
        tree.root,
        manifest,
        tree.is_opaque,
        lambda path: f"judged/{path}" in run.vault.table or tree.is_held(path),
        contents,
        unseen=tree.unseen,
    )


def run_check(run: Run, check: Check, env: Mapping[str, str] = {}) -> Ran:
    """Run one verification: argv, no shell, no survivors."""
    wanted = run.config.verification
    own = wanted.timeout_fast_seconds if check.phase is Phase.FAST else wanted.timeout_slow_seconds
    limit = run.time_left(own)
    program = run.programs.get(check.cmd, check.cmd)
    environment = {**child_environment(run, "scratch-verify"), **env}
    is_confined = wanted.sandbox and not env  # a hook of the person's needs git's folder
    run.screen.begin(f"verify {check.template_id}", limit)
    call = Call(
        argv=(program, *check.args),
        cwd=run.repo.root,
        env=environment,
        wall=limit,
        kill_grace=run.config.runner.kill_grace_seconds,
        on_wait=run.screen.waiting,
        is_merged=True,
        **(jail(run, program, environment, network=wanted.network) if is_confined else {}),
    )
    ran = execute(call, run.interrupt)
    run.screen.clear()
    output = ran.stdout or ran.stderr
    lines = output.decode("utf-8", "replace").splitlines()[-OUTPUT_TAIL_LINES:]
    tail = "\n".join(lines)[-OUTPUT_TAIL_CHARS:]
    run.checks.append(CheckRun(*check, ran.exit_code, ran.duration_ms, ran.timed_out, tail))
    command = " ".join([check.cmd, *check.args])
    outcome = "timed out" if ran.timed_out else f"exit {ran.exit_code}"
    run.verify_log += f"$ {visible(command)}\n{bounded(output, LOG_BYTES_PER_COMMAND).rstrip()}\n".encode(
        "utf-8", "replace"
    )
    run.verify_log += f"[{check.phase.value} {check.template_id}: {outcome}, {ran.duration_ms} ms]\n\n".encode()
    run.screen.stage("VERIFY", f"{check.template_id}: {outcome}", ran.duration_ms)
    run.interrupt.check()
    if ran.timed_out and limit < own:
        run.check_deadline()
    return ran


def failure(check: Check, ran: Ran) -> Optional[Finding]:
    if ran.exit_code == 0:
        return None
    code = Code.STOP_VERIFY_FAILED_FAST if check.phase is Phase.FAST else Code.STOP_VERIFY_FAILED_SLOW
    outcome = f"timed out after {ran.duration_ms // 1000} s" if ran.timed_out else f"exited {ran.exit_code}"
    missing = " (no such command on PATH)" if ran.not_started else ""
    return Finding(code, f"{check.template_id} {outcome}{missing}", error=ErrorKind.VERIFICATION)


def run_hooks(run: Run) -> None:
    """The repo's pre-commit and commit-msg hooks, on an index that holds exactly what would be committed."""
    folder = os.path.expanduser(run.settings.get("core.hookspath") or os.path.join(run.repo.common_dir, "hooks"))
    folder = os.path.join(run.repo.root, folder)
    message = run.vault.path("COMMIT_EDITMSG")
    write_derived(message, commit_message(cast(Task, run.task), run.run_id).encode())
    for name, args in (("pre-commit", ()), ("commit-msg", (message,))):
        program = os.path.join(folder, name)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            check = Check(name, Phase.SLOW, program, args)
            write_derived(run.vault.path("hook-index"), read_bytes(run.vault.path("git/index")))
            finding = failure(check, run_check(run, check, {"GIT_INDEX_FILE": run.vault.path("hook-index")}))
            if finding:
                raise Halt(finding)
    if not read_text(message).strip():
        raise halt(Code.STOP_VERIFY_FAILED_SLOW, "commit-msg left no message", error=ErrorKind.VERIFICATION)


def recheck(run: Run, judged: Ground, who: str) -> None:
    """What came after the builder did to the tree is not judged work: forbidden things stop the tick, the rest is put back."""
    damage = inspect_git(run)
    for warning in damage.warnings:
        run.warn(warning)
    _, changes = parted(run, settled_changes(run, judged))
    evidence = Evidence(TaskKind.EXECUTE, cast(Fence, run.fence), Touched(tuple(changes)), damage)
    finding = first_match(JUDGE_RULES_AFTER_CHECKS, evidence)
    if finding:
        raise Halt(finding._replace(detail=f"{who} changed what it must not: {finding.detail}"))
    if changes:
        failures = put_back(run, judged, changes, "verify")
        run.warn(f"{who} changed {', '.join(shortened([c.path for c in changes], 3))}: put back")
        if failures:
            detail = f"what {who} changed could not be put back"
            raise halt(Code.STOP_INTERRUPTED, detail, tuple(failures))
