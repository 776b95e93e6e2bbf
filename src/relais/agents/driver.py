"""Any other agent, as its record in the configuration says."""

from __future__ import annotations

import contextlib
import os
import re

from relais.agents.call import (
    DIAGNOSTIC_CHARS,
    DRIVER_OUTPUT_BYTES,
    call_agent,
    documents_in,
    failed_call,
    plain_text,
    system_prompt_file,
    words_of,
)
from relais.agents.confinement import child_environment
from relais.contract.codes import DRIVER_PLACE, ErrorKind
from relais.contract.config import Driver
from relais.contract.evidence import Fence
from relais.contract.findings import Ran, Reply
from relais.notebook.run import Run
from relais.text.words import clip, cut, visible
from relais.typed import Any, Iterable, Mapping, Optional, cast
from relais.world.files import read_bytes, read_text, write_derived
from relais.world.host import find_program


def found_at(document: Any, path: str) -> list[Any]:
    """What stands at a dotted path: a key, the number of an item, or `*` for all of them."""
    here = [document]
    for step in path.split("."):
        here = [part for value in here for part in steps_into(value, step)]
    return here


def steps_into(value: Any, step: str) -> list[Any]:
    if isinstance(value, list):
        value = {str(place): item for place, item in enumerate(value)}
    if not isinstance(value, dict):
        return []
    return list(value.values()) if step == "*" else [value[step]] if step in value else []


def is_like(document: Any, where: Mapping[str, Any]) -> bool:
    return all(wanted in found_at(document, path) for path, wanted in where.items())


def picked(documents: Iterable[Any], pick: Mapping[str, Any]) -> list[Any]:
    """What a driver's record points at, in the order in which it was said."""
    chosen = (document for document in documents if is_like(document, pick.get("where", {})))
    return [value for document in chosen for value in found_at(document, pick["pick"])]


# What a failed call was about, by the words of its own diagnostics. First match wins. A bare number says nothing.
STATUS = r"(?:status|code|error|http)(?:\W{0,4}|/\d\.\d )"
DIAGNOSES = (
    (ErrorKind.BILLING, r"billing details|out of credits|insufficient_quota|spend cap|credit balance"),
    (ErrorKind.RATE_LIMIT, rf"{STATUS}429\b|rate.?limit|usage limit|quota|too many requests|resource_exhausted"),
    (ErrorKind.AUTH, rf"{STATUS}40[13]\b|unauthorized|api.?key|not logged in|authenticat|missing environment variable"),
    (ErrorKind.MODEL, rf"{STATUS}404\b|model .{{0,80}}not (?:found|exist|supported)|unknown model"),
    (
        ErrorKind.CONNECTION,
        r"connection (?:failed|refused|error)|connect error|cannot connect to api|econnrefused|sending request|fetch failed",
    ),
    (ErrorKind.OVERLOADED, rf"{STATUS}(?:503|529)\b|at capacity|overloaded"),
    (ErrorKind.SERVER, rf"{STATUS}5\d\d\b|high demand|internal server error"),
)


def diagnosed(words: str, limits: Iterable[str]) -> Optional[ErrorKind]:
    if any(re.search(pattern, words) for pattern in limits):
        return ErrorKind.RATE_LIMIT
    return next((kind for kind, pattern in DIAGNOSES if re.search(pattern, words, re.IGNORECASE)), None)


def read_driven(driver: Driver, ran: Ran, file: str) -> Reply:
    """What a driver's call came to. Success needs all of: exit 0, what must be seen, no sign of failure, an answer."""
    documents = documents_in(ran.stdout)
    source = driver.result["from"]
    printed = plain_text(ran.stdout).strip()
    texts = {"file": [file], "stdout": [printed]}.get(source) or picked(documents, driver.result)
    answer = next((text for text in reversed(texts) if isinstance(text, str) and text.strip()), "")
    errors = [str(words) for pick in driver.errors for words in picked(documents, pick)]
    said = [*errors, ran.stderr.decode("utf-8", "replace"), printed if source == "stdout" else ""]
    words = cut(" ".join(" ".join(said).split()), DIAGNOSTIC_CHARS)
    sign = next(filter(None, (re.search(pattern, words) for pattern in driver.error_if)), None)
    words = words[sign.start() :] if sign else words  # what stands before the sign is talk
    failure = failed_call(ran)
    if driver.must_see and not any(is_like(document, driver.must_see) for document in documents):
        failure = failure or Reply(error=ErrorKind.WRAPPER, detail="it did not say that it was done")
    if sign:
        detail = f"it says that it failed: {visible(clip(words, 250))}"
        failure = failure or Reply(error=ErrorKind.PROCESS, detail=detail)
    if not failure and not answer:
        failure = Reply(error=ErrorKind.WRAPPER, detail=f"no answer in its output: {words_of(ran) or 'nothing'}")
    told = usage_of(documents, driver.usage)
    if not failure:
        return told._replace(text=answer)
    kind = None if ran.not_started else diagnosed(words, driver.limit_if)
    detail = visible(clip(" ".join(errors) or words[-300:], 300)) if kind else failure.detail
    return told._replace(error=kind or failure.error, detail=detail, said=words if kind is ErrorKind.RATE_LIMIT else "")


def usage_of(documents: Iterable[Any], usage: Mapping[str, Any]) -> Reply:
    """What an agent counted, summed over all of its reports; the cost only where it names one."""
    sums: dict[str, float] = {}
    for name, path in usage.get("pick", {}).items():
        amounts = picked(documents, {**usage, "pick": path})
        amounts = [amount for amount in amounts if type(amount) in (int, float) and 0 <= amount < 1e12]
        if amounts:
            sums[name] = sum(amounts)
    cost = sums.pop("cost_usd", None)
    return Reply(cost_usd=cost, usage={name: int(amount) for name, amount in sums.items()})


def ask_driver(run: Run, role: str, driver: Driver, prompt: str, timeout: float) -> Reply:
    """One call as a driver's record says. The prompt stands on stdin, or in a file; argv would show it to everybody."""
    env = child_environment(run, f"for-{role}", role, driver.argv)
    folder = os.path.dirname(env["TMPDIR"])
    system = read_text(system_prompt_file(run, role))
    asked = " ".join(driver.argv)
    whole = prompt if "{system_file}" in asked else f"{system}\n\n{prompt}"
    places = {name: os.path.join(folder, name) for name in ("prompt_file", "system_file", "out_file")}
    places.update(repo=run.repo.root, tmp=env["TMPDIR"], task_file=run.file("TASK.json"))
    for name, text in (("prompt_file", whole), ("system_file", system)):
        write_derived(places[name], text.encode("utf-8", "replace"))

    def answer_file() -> str:
        with contextlib.suppress(OSError):
            return read_bytes(places["out_file"], DRIVER_OUTPUT_BYTES).decode("utf-8", "replace")
        return ""

    def is_done(output: bytes) -> bool:
        last = output.rstrip().rpartition(b"\n")[2]
        return bool(driver.must_see) and any(is_like(document, driver.must_see) for document in documents_in(last))

    return call_agent(
        run,
        role,
        driver_argv(run, driver, places),
        env=env,
        timeout=timeout,
        read=lambda ran: read_driven(driver, ran, answer_file()),
        stdin=b"" if "{prompt_file}" in asked else whole.encode("utf-8", "replace"),
        is_complete=is_done,
        on_output=run.screen.hear,
        confined=role != "builder" or not driver.confines_itself,
    )


def driver_argv(run: Run, driver: Driver, places: Mapping[str, str]) -> list[str]:
    program = find_program(driver.argv[0], run.repo.root) or driver.argv[0]
    argv = [program]
    for word in driver.argv[1:]:
        argv += (
            (task_files(run) if run.fence else [])
            if word == "{files}"
            else [re.sub(DRIVER_PLACE, lambda m: places[str(m[1])], word)]
        )
    return argv


def task_files(run: Run) -> list[str]:
    """The tracked files that the task may touch, for agents that see only what they are given."""
    fence = cast(Fence, run.fence)
    barred = (fence.owned, fence.forbidden, fence.control)
    paths = (path for path, _ in run.listing.object_ids)
    given = (path for path in paths if fence.allowed(path) and not any(bars(path) for bars in barred))
    return [f"./{path}" for path in given][:MAX_FILES_GIVEN]  # a name that begins with - must be no option


MAX_FILES_GIVEN = 200
