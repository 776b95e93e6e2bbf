"""relais recover: the repo as it was before a tick that was cut off."""

from __future__ import annotations

from relais.commands.output import Arguments, emit, hints
from relais.commands.run import attended_run
from relais.contract.codes import EXIT_STATUS, Verdict
from relais.tick.recover import recover


def command_recover(args: Arguments) -> int:
    document = recover(attended_run(args))
    if not document:
        emit(args, {"code": "SUCCESS", "recovered": None}, ["nothing to recover: no tick was cut off"])
        return 0
    incomplete = bool(document.get("rollback")) and not document["rollback"]["ok"]
    kept = document["commit"]["id"][:12] if document.get("commit") else None
    what = f"its commit {kept} was complete and stays" if kept else "everything is back at its base"
    saved = (document.get("rollback") or {}).get("rescue_ref")
    lines = [f"recovered {document['run_id']}: {'NOT complete' if incomplete else what}"]
    lines += [f"  its work is kept: git show {saved}"] if saved else []
    lines += hints(["relais status --preflight"])
    emit(args, {**document, "recovered": document["run_id"]}, lines)
    return EXIT_STATUS[Verdict.STOP] if incomplete else 0
