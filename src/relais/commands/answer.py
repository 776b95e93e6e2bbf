"""relais answer: what the person says to the Brain's question."""

from __future__ import annotations

import contextlib
import sys

from relais.commands.output import Arguments, Usage, emit, hints, question_lines, screen_of
from relais.contract.codes import Code
from relais.contract.findings import halt
from relais.contract.state import AnsweredQuestion, PendingQuestion
from relais.notebook.run import Run
from relais.preflight.obstacles import damaged_files
from relais.settings.load import opened
from relais.text.documents import encode
from relais.text.words import clip, visible
from relais.typed import cast
from relais.world.lock import lock
from relais.world.processes import Interrupt
from relais.world.screen import Screen


def command_answer(args: Arguments) -> int:
    """Answer the pending question by text, by number, or not at all."""
    repo, config = opened(args.directory)
    run = Run(repo, config, Interrupt(), screen_of(args))
    with lock(repo, config):
        damaged = damaged_files(run)
        if damaged:
            raise halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, "files of the runner are damaged", tuple(damaged))
        question = run.state.question
        if question is None:
            raise Usage("nothing was asked; type: relais status")
        answer = chosen_answer(args, question)
        if not answer.strip():
            raise Usage("say the answer: relais answer TEXT, --choice N or --skip")
        answered = AnsweredQuestion(question.run_id, question.milestone_id, question.prompt, answer)
        run.state = run.state._replace(question=None, answers=(*run.state.answers, answered)[-10:])
        run.save_state()
    emit(
        args,
        {"code": "SUCCESS", "question": question.prompt, "answer": answer},
        [f"answered: {visible(answer)}", *hints(["relais run"])],
    )
    return 0


def chosen_answer(args: Arguments, question: PendingQuestion) -> str:
    if args.skip:
        return "(the person skipped this question: decide yourself, carefully)"
    if args.choice is not None:
        if not 1 <= args.choice <= len(question.choices):
            raise Usage(
                f"there is no choice {args.choice}: the question has {len(question.choices)}; type: relais status"
            )
        return question.choices[cast(int, args.choice) - 1]
    text = " ".join(args.text)
    if not text and sys.stdin.isatty() and not args.json:
        text = prompted_answer(question)
    return clip(text.encode("utf-8", "backslashreplace").decode(), 2000)


def prompted_answer(question: PendingQuestion) -> str:
    """Ask at the terminal; a number that is a choice's means that choice."""
    screen = Screen()
    for line in question_lines(encode(question)):
        screen.line(f"  {line}")
    with contextlib.suppress(EOFError):
        text = input("answer (text or number): ").strip()
        is_choice = text.isdecimal() and 1 <= int(text) <= len(question.choices)
        return question.choices[int(text) - 1] if is_choice else text
    return ""
