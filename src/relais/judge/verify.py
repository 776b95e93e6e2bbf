"""The project's own checks and hooks; then nothing may have changed."""

from __future__ import annotations

import os

from relais.agents.call import bounded, refuse_unconfined
from relais.agents.confinement import check_confines, child_environment, clear_scratch, jail
from relais.contract.codes import OUTPUT_TAIL_CHARS, OUTPUT_TAIL_LINES, Code, ErrorKind, Phase, TaskKind
from relais.contract.evidence import Evidence, Fence, Touched, entry_of
from relais.contract.findings import Finding, Halt, Ran, first_match, halt
from relais.contract.task import Check, CheckRun, Control, Task
from relais.ground.put_back import put_back
from relais.judge.byproducts import tidy
from relais.judge.commit import commit_message
from relais.judge.git_folder import inspect_git
from relais.judge.survey import changed_old_runs, parted, settled_changes
from relais.judge.tree import objects_in
from relais.notebook.run import Ground, Run
from relais.rules.denials import advised
from relais.rules.fence import secrets_in
from relais.rules.tables import JUDGE_RULES_AFTER_CHECKS
from relais.text.harmless import commit_text, for_log
from relais.text.words import clip, shortened, visible
from relais.typed import Iterator, Optional, Sequence, cast
from relais.world.child import Call, execute
from relais.world.files import read_text, write_derived

LOG_BYTES_PER_COMMAND = 200_000
UNCONFINED_CHECKS = "the checks ran the builder's code unconfined: it could do whatever you can"


def verify(run: Run) -> None:
    """A5, rows 3–4: fast then slow, the first failure ends it; then nothing may have changed."""
    if not run.plan.checks and not run.config.git.run_hooks:
        return
    if run.check_sandbox == "none":
        run.warn(UNCONFINED_CHECKS)
    tree = run.tree
    judged = judged_ground(run, tree)
    before = ""
    for check in run.plan.checks:
        if before:
            recheck(run, judged, before, is_last=False)
        before = check.template_id
        spend_late(run, judged, verify_runs=1)
        finding = refused(run, failure(check, run_check(run, check)))
        if finding and run.control:
            run.control = Control("continue", clip(f"not done: {finding.detail}", 400))
            run.warn(f"the claim to be done was refused: {finding.detail}")
            break
        if finding:
            raise Halt(finding)
    if run.config.git.run_hooks and run.config.git.commit_on_success and run.touched.changes:
        recheck(run, judged, "verification", is_last=False)
        run_hooks(run)
    recheck(run, judged, "verification")


def spend_late(run: Run, *grounds: Ground, **amounts: float) -> None:
    """Count what comes after the builder where a recovery will find it too: it believes no STATE.json of the builder's time."""
    run.spend(**amounts)
    run.vault.write("spent", (run.run_id, tuple(run.spent)))
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


def run_check(run: Run, check: Check, hook: Optional[dict[str, str]] = None) -> Ran:
    """Run one verification, or a hook in its own environment: argv, no shell, confined, no survivors."""
    wanted = run.config.verification
    own = wanted.timeout_fast_seconds if check.phase is Phase.FAST else wanted.timeout_slow_seconds
    limit = run.time_left(own)
    argv = (run.programs.get(check.cmd, check.cmd), *check.args)
    env = hook or child_environment(run, "for-check")
    run.let_run(confined=run.check_sandbox != "none")
    run.screen.begin(f"verify {check.template_id}", limit)
    call = Call(
        argv=argv,
        cwd=run.repo.root,
        env=env,
        wall=limit,
        kill_grace=run.config.runner.kill_grace_seconds,
        on_wait=run.waiting,
        is_merged=True,
        **jail(run, argv, env, who="hook" if hook else "check", network=wanted.network),
    )
    with run.vault.watching(is_jailed=not run.is_loose):
        ran = execute(call, run.interrupt)
    run.screen.clear()
    refuse_unconfined(call)
    clear_scratch(env)
    put_on_record(run, check, ran)
    run.interrupt.check()
    if ran.timed_out and limit < own:
        run.check_deadline()
    return ran


def put_on_record(run: Run, check: Check, ran: Ran) -> None:
    """What a check did and said: for the report, the log, and whoever watches."""
    output = ran.stdout or ran.stderr
    text = output.decode("utf-8", "replace")
    tail = "\n".join(text.splitlines()[-OUTPUT_TAIL_LINES:])[-OUTPUT_TAIL_CHARS:]
    run.checks.append(CheckRun(*check, ran.exit_code, ran.duration_ms, ran.timed_out, tail))
    run.denied += check_denials(run, text) if ran.exit_code else []
    command = " ".join([check.cmd, *check.args])
    outcome = "timed out" if ran.timed_out else f"exit {ran.exit_code}"
    run.verify_log += f"$ {visible(command)}\n{for_log(bounded(output, LOG_BYTES_PER_COMMAND).rstrip())}\n".encode(
        "utf-8", "replace"
    )
    run.verify_log += f"[{check.phase.value} {check.template_id}: {outcome}, {ran.duration_ms} ms]\n\n".encode()
    run.screen.stage("VERIFY", f"{check.template_id}: {outcome}", ran.duration_ms)


def check_denials(run: Run, output: str) -> list[str]:
    """What a check that failed says it was refused, where its jail can have refused it."""
    if run.check_sandbox == "none":
        return []
    return advised(output, check_confines(run), run.config.verification.network, os.path.isdir)


def failure(check: Check, ran: Ran) -> Optional[Finding]:
    if ran.exit_code == 0:
        return None
    code = Code.STOP_VERIFY_FAILED_FAST if check.phase is Phase.FAST else Code.STOP_VERIFY_FAILED_SLOW
    outcome = f"timed out after {ran.duration_ms // 1000} s" if ran.timed_out else f"exited {ran.exit_code}"
    missing = " (no such command on PATH)" if ran.not_started else ""
    return Finding(code, f"{check.template_id} {outcome}{missing}", error=ErrorKind.VERIFICATION)


def refused(run: Run, finding: Optional[Finding]) -> Optional[Finding]:
    """The failure of a check, with what its jail may have to do with it."""
    if finding is None or not run.denied:
        return finding
    return finding._replace(detail=f"{finding.detail}; confined, it says it was refused {'; '.join(run.denied[:3])}")


def run_hooks(run: Run) -> None:
    """The repo's pre-commit and commit-msg hooks, on an index that holds exactly what would be committed."""
    folder = os.path.expanduser(run.settings.get("core.hookspath") or os.path.join(run.repo.common_dir, "hooks"))
    folder = os.path.join(run.repo.root, folder)
    env = child_environment(run, "for-hook", "hook")
    scratch = os.path.dirname(env["TMPDIR"])
    index, message = os.path.join(scratch, "index"), os.path.join(scratch, "COMMIT_EDITMSG")
    env.update(hook_objects(run, scratch), GIT_INDEX_FILE=index)
    write_derived(message, commit_message(cast(Task, run.task), run.run_id).encode())
    for name, args in (("pre-commit", ()), ("commit-msg", (message,))):
        program = os.path.join(folder, name)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            check = Check(name, Phase.SLOW, program, args)
            write_derived(index, run.own_git["index"])
            finding = refused(run, failure(check, run_check(run, check, dict(env))))
            if finding:
                raise Halt(finding)
    run.message = commit_text(read_text(message) if not os.path.islink(message) else "")
    if not run.message.strip():
        raise halt(Code.STOP_VERIFY_FAILED_SLOW, "commit-msg left no message", error=ErrorKind.VERIFICATION)
    secrets = secrets_in(run.message.encode()) if run.config.scope.secret_scan else []
    if secrets:
        kinds = tuple(f"line {line} ({kind})" for line, kind, _ in secrets)
        raise halt(Code.STOP_SECRET_DETECTED, "commit-msg left what looks like a secret in the message", kinds)


def hook_objects(run: Run, scratch: str) -> dict[str, str]:
    """A place of their own for the objects that hooks make: git's folder is read-only for them."""
    folder = os.path.join(scratch, "objects")
    os.makedirs(folder)
    return objects_in(run, folder)


def recheck(run: Run, judged: Ground, who: str, *, is_last: bool = True, makes_byproducts: bool = True) -> None:
    """What came after the builder did to the tree is not judged work: forbidden things stop the tick, the rest is put back.

    Before the next check only what git would see: one may leave ignored files that another needs, until the last has run.
    By-products of checks stay: they are made from the judged tree.
    """
    damage = inspect_git(run)
    for warning in damage.warnings:
        run.warn(warning)
    byproducts, changes = parted(run, settled_changes(run, judged))
    seen = Touched((*changes, *changed_old_runs(run)))
    evidence = Evidence(TaskKind.EXECUTE, cast(Fence, run.fence), seen, damage)
    finding = first_match(JUDGE_RULES_AFTER_CHECKS, evidence)
    if finding:
        raise Halt(finding._replace(detail=f"{who} changed what it must not: {finding.detail}"))
    if not makes_byproducts:
        tidy(run, judged, byproducts, changes)
    changes = [change for change in changes if is_last or change.path not in run.ignored]
    if changes:
        failures = put_back(run, judged, changes, "verify")
        run.warn(f"{who} changed {', '.join(shortened([c.path for c in changes], 3))}: put back")
        if failures:
            detail = f"what {who} changed could not be put back"
            raise halt(Code.STOP_INTERRUPTED, detail, tuple(failures))
