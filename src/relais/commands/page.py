"""relais history --html: all runs on one page that needs nothing but a browser."""

from __future__ import annotations

import contextlib
import json
import os
import sys

from relais.commands.output import Arguments, emit, quick_state
from relais.contract.state import budgets_of
from relais.notebook.run import Run, run_ids
from relais.report.render import cost_of
from relais.settings.admission import validator
from relais.text.harmless import for_page
from relais.text.words import clip, cut
from relais.typed import Any, Iterator, Json
from relais.world.carried import asset
from relais.world.claim import visited
from relais.world.files import read_json, read_text, write_derived
from relais.world.host import utc_now

PAGE_BYTES, PAGE_DIFF_CHARS = 12 << 20, 40_000


def page_row(report: Json) -> list[Any]:
    """What the page needs of every run, in the order in which its script unpacks it."""
    cost, unknown = cost_of(report)
    task, radius = report["task"], report["blast_radius"]
    return [
        report["run_id"],
        report["code"],
        task["milestone_id"],
        task["task_id"],
        clip(" ".join(task["intent"].split()), 200),
        [radius[name] for name in ("files_touched", "lines_added", "lines_deleted", "new_files")],
        report["duration_ms"],
        cost,
        unknown,
        report.get("stages", {}),
    ]


def filled_page(data: Json) -> str:
    """The page with its data, none of which can end the element it stands in, and a policy under which nothing else runs."""
    import base64
    import hashlib

    script, text = asset("page/page.js"), for_page(data)
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = asset("page/page.html").replace("{{SCRIPT_HASH}}", allowed)
    page = page.replace("<style></style>", f"<style>\n{asset('page/page.css')}</style>")
    page = page.replace("<script></script>", f"<script>{script}</script>")
    return page.replace('id="data"></script>', f'id="data">{text}</script>')


def write_page(args: Arguments, run: Run) -> int:
    """All runs on one page that needs nothing but a browser."""
    run.screen.note("history: reading every run")
    run.vault = visited(run.repo)
    target = run.vault.path("history.html")  # not in the repo: it may be made while a tick is under way
    write_derived(target, history_page(run).encode("utf-8", "backslashreplace"))
    run.screen.clear()
    emit(args, {"page": target, "opened": bool(args.open) and shown_in_browser(target)}, [target])
    return 0


def history_page(run: Run) -> str:
    """The page as text: every run as a row, the newest in full as long as there is room for them."""
    rows, room = list(history_rows(run)), PAGE_BYTES
    full: dict[str, Json] = {}
    for row in reversed(rows):
        patch = os.path.join(run.repo.root, run.config.history.dir, row["run_id"], "diff.patch")
        detail = {"report": row, "diff": cut(read_text(patch), PAGE_DIFF_CHARS, keep="start")}
        room -= len(json.dumps(detail))
        if room < 0:
            break
        full[row["run_id"]] = detail
    state, _ = quick_state(run.workspace)
    budgets = [[b.name, b.spent, b.cap] for b in budgets_of(state, run.config.budgets)]
    data = {
        "repo": os.path.basename(run.repo.root),
        "folder": run.config.history.dir,
        "made_at": utc_now(),
        "milestone": state.milestone_id,
        "budgets": budgets,
        "without_report": len(run_ids(run)) - len(rows),
        "runs": [page_row(row) for row in reversed(rows)],
        "full": full,
    }
    return filled_page(data)


def shown_in_browser(path: str) -> bool:
    """Open a page where there is a screen to open it on; a browser for terminals would take over this one."""
    import pathlib
    import webbrowser

    has_screen = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    return has_screen and webbrowser.open(pathlib.PurePath(path).as_uri())


def history_rows(run: Run) -> Iterator[Json]:
    """The reports in history, oldest first; what is missing, damaged, or of another run is left out."""
    check = validator("report", "", "")
    for run_id in run_ids(run):
        with contextlib.suppress(OSError, ValueError):
            row = read_json(os.path.join(run.repo.root, run.config.history.dir, run_id, "report.json"))
            check(row)
            if row["run_id"] == run_id:
                yield row
