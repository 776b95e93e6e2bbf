"""relais recover: the repo as it was before a tick that was cut off."""

from __future__ import annotations

from relais.commands.output import Arguments, Usage, emit, hints
from relais.commands.run import attended_run
from relais.contract.codes import EXIT_STATUS, Verdict
from relais.text.words import visible
from relais.tick.aftermath import left_names
from relais.tick.recover import recover


def chosen(args: Arguments, *names: str) -> str:
    """Which of these the person has typed; "" for none."""
    typed = [name for name in names if getattr(args, name)]
    if len(typed) > 1:
        raise Usage(f"--{' or --'.join(typed)}, not both")
    return "".join(typed)


def command_recover(args: Arguments) -> int:
    run = attended_run(args)
    document = recover(run, owner=chosen(args, "adopt", "anew"), decision=chosen(args, "keep", "undo"))
    if not document:
        emit(args, {"code": "SUCCESS", "recovered": None}, ["nothing to recover: no tick was cut off"])
        return 0
    incomplete = bool(document.get("rollback")) and not document["rollback"]["ok"]
    kept = document["commit"]["id"][:12] if document.get("commit") else None
    what = f"its commit {kept} was complete and stays" if kept else "everything is back at its base"
    saved = (document.get("rollback") or {}).get("rescue_ref")
    lines = [f"recovered {document['run_id']}: {'NOT complete' if incomplete else what}"]
    lines += [f"  {visible(document['error']['detail'])}"] if incomplete else []
    lines += [f"  its work is kept: git show {saved}"] if saved else []
    lines += [f"  {visible(warning)}" for warning in run.warnings]
    lines += hints(["relais status --preflight"])
    emit(args, {**document, "recovered": document["run_id"], "left": left_names(run)}, lines)
    return EXIT_STATUS[Verdict.STOP] if incomplete else 0
