"""relais loop: ticks until they are done, and a closing summary."""

from __future__ import annotations

from relais.commands.output import Arguments, Usage, emit, exit_status, hints, question_lines, report_lines
from relais.commands.run import attended_run, show_problems
from relais.contract.codes import CONFIG_FILE, Code
from relais.contract.findings import unfit
from relais.notebook.run import Run
from relais.text.documents import encode
from relais.text.words import counted, visible
from relais.tick.loop import Looped, Options, loop, loop_summary
from relais.typed import Iterator, Json
from relais.world.lock import lock


def command_loop(args: Arguments) -> int:
    """Ticks until done, with a closing summary: what was committed, what was rejected and why, what it cost."""
    if args.max_ticks is not None and args.max_ticks < 1:
        raise Usage("--max-ticks takes a number from 1 on")
    run = attended_run(args)
    if not run.config.git.commit_on_success:
        raise unfit(f"{CONFIG_FILE}: git.commit_on_success is off, so the second tick of a loop would be blocked")

    def show(lap: Run, document: Json) -> None:
        show_problems(lap, document)
        lap.screen.clear()
        for line in report_lines(document, lap.screen, ()):
            lap.screen.line(line)

    with lock(run.repo, run.config):
        looped = loop(run, Options(args.mode, args.max_ticks, args.keep_going), show)
    code, ending = Code(looped.reports[-1]["code"]), looped.ending
    status = exit_status(code, run.interrupt) if ending.exit_status is None else ending.exit_status
    summary = loop_summary(ending, looped.reports, status)
    emit(args, summary, () if args.quiet else loop_lines(summary, looped))
    return status


def loop_lines(summary: Json, looped: Looped) -> Iterator[str]:
    spent = f"{counted(summary['ticks'], 'tick')}, {counted(len(summary['commits']), 'commit')}"
    yield f"loop ended: {looped.ending.because} ({spent}, {summary['reported_cost_usd']:.2f} USD as reported)"
    yield from (f"  committed {commit['id'][:12]} {visible(commit['subject'])}" for commit in summary["commits"])
    for row in summary["rejected"]:
        yield f"  rejected  {row['code']}: {visible(' '.join(row['intent'].split()))} ({visible(row['why'])})"
    question = looped.last.state.question
    if question:
        yield from (f"  {line}" for line in question_lines(encode(question)))
        yield from hints(["relais answer TEXT   (or --choice N, or --skip)"])
    elif looped.ending.reason == "stop":
        yield from hints(["relais rescue show", "relais history"])
    else:
        yield from hints(looped.last.finding.remedies if looped.last.finding else ())
