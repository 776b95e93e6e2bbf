"""relais history and relais open: the runs so far."""

from __future__ import annotations

import os

from relais.commands.output import Arguments, Usage, emit, exit_status, hints, paper, run_line, screen_of, the_run
from relais.commands.page import history_rows, write_page
from relais.contract.codes import Code
from relais.notebook.run import Run, run_ids
from relais.report.render import cost_of, digest_of_run, without_cost
from relais.settings.load import opened
from relais.text.documents import json_or_none
from relais.text.words import counted
from relais.typed import Iterator, Json, Sequence
from relais.world.files import read_text, remove_tree
from relais.world.host import own_program, quoted, said
from relais.world.lock import lock
from relais.world.processes import Interrupt
from relais.world.screen import Screen


def command_history(args: Arguments) -> int:
    repo, config = opened(args.directory)
    run = Run(repo, config, Interrupt(), screen_of(args))
    if args.what == "prune":
        return prune(args, run)
    if args.what != "list":
        return show_run(args, run)
    if args.html or args.open:
        return write_page(args, run)
    rows, screen = list(history_rows(run)), paper(screen_of(args))
    emit(args, {"runs": rows}, [*(history_line(row, screen) for row in rows), *history_end(rows)])
    return 0


def history_line(report: Json, screen: Screen) -> str:
    cost, unknown = cost_of(report)
    told = f"{cost:.2f} USD{f' + {unknown} unknown' if unknown else ''}"
    return run_line(digest_of_run(report), screen, f"{report['duration_ms'] / 1000:>5.0f} s  {told:<10}  ")


def history_end(rows: Sequence[Json]) -> Iterator[str]:
    """What all runs of a history came to."""
    if not rows:
        yield "no runs yet"
        yield from hints(["relais run"])
        return
    costs = [cost_of(row) for row in rows]
    commits = sum("commit" in row for row in rows)
    total = f"{sum(cost for cost, _ in costs):.2f} USD as reported{without_cost(sum(unknown for _, unknown in costs))}"
    yield f"{counted(len(rows), 'run')}, {counted(commits, 'commit')}, {total}"
    yield from hints([f"relais history {rows[-1]['run_id']}", "relais history --html --open"])


def command_open(args: Arguments) -> int:
    """Open what the last run left behind in the editor, or say where it is."""
    repo, config = opened(args.directory)
    run = Run(repo, config, Interrupt(), screen_of(args))
    if args.what == "history":
        args.open = True
        return write_page(args, run)
    names = {"report": "report.md", "diff": "diff.patch", "log": "verify.log"}
    folders = [os.path.join(repo.root, config.history.dir, run_id) for run_id in reversed(run_ids(run))]
    paths = [run.file("REPORT.md")] if args.what == "report" else []
    paths += [os.path.join(folder, names[args.what]) for folder in folders[:1]]
    path = next(filter(os.path.isfile, paths), None)
    if path is None:
        raise Usage(f"the last run left no {args.what}; type: relais history")
    editor = own_program("code", repo.root) if os.environ.get("TERM_PROGRAM") == "vscode" else None
    if editor:
        said([editor, "--reuse-window", "--goto", f"{path}:1:1"])
    emit(args, {"path": path, "opened": editor is not None}, [run.relative(path) if editor else path])
    return 0


def show_run(args: Arguments, run: Run) -> int:
    """One run in full: its report, and where its other files are."""
    run_id = the_run(args.what, run_ids(run), "run; type: relais history")
    folder = os.path.join(run.repo.root, run.config.history.dir, run_id)
    files = [run.relative(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    report, meta = (json_or_none(read_text(os.path.join(folder, name))) for name in ("report.json", "meta.json"))
    text = read_text(os.path.join(folder, "report.md"), "(this run has no report: it was cut off)\n")
    emit(args, {"report": report, "meta": meta, "files": files}, [*text.split("\n"), *files])
    return 0


def prune(args: Arguments, run: Run) -> int:
    """Free the space of all but the newest runs; their rescue refs stay. What is still there afterwards is named."""
    if args.keep < 0:
        raise Usage("--keep takes a number from 0 on")
    folder = os.path.join(run.repo.root, run.config.history.dir)
    with lock(run.repo, run.config):
        old = run_ids(run)[: -args.keep] if args.keep else run_ids(run)
        for run_id in old:
            remove_tree(os.path.join(folder, run_id))
    left = [run_id for run_id in old if os.path.lexists(os.path.join(folder, run_id))]
    linked = [run_id for run_id in left if os.path.islink(os.path.join(folder, run_id))]
    resisting = [run_id for run_id in left if run_id not in linked]
    removed = [run_id for run_id in old if run_id not in left]
    code = Code.STOP_INTERRUPTED if resisting else Code.SUCCESS
    lines = [f"removed {counted(len(removed), 'run')}, kept the newest {args.keep}"]
    lines += [f"not removed: {run_id} (a link: what is behind it is yours)" for run_id in linked]
    lines += [f"not removed: {run_id} (it resists)" for run_id in resisting]
    remedies = [f"ls -la {quoted(run.relative(os.path.join(folder, run_id)))}" for run_id in resisting[:1]]
    emit(args, {"code": code.value, "removed": removed, "left": left}, [*lines, *hints(remedies)])
    return exit_status(code)
