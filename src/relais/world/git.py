"""The one door to git."""

from __future__ import annotations

import contextlib
import os
import time

from relais.contract.codes import Code, ErrorKind
from relais.contract.findings import halt
from relais.typed import Any, Callable, Iterator, Mapping, Optional, Sequence

GIT_TIMEOUT_SECONDS, SIGNING_TIMEOUT_SECONDS = 300, 60
OLDEST_GIT = (2, 32)


class GitError(Exception):
    """Git said no where relais did not expect it."""

    def __init__(self, args: Sequence[str], status: int, words: bytes) -> None:
        super().__init__(f"git {' '.join(args[:3])} exited {status}: {words.decode('utf-8', 'replace').strip()[:300]}")
        self.words = words.decode("utf-8", "replace").strip()


# Nothing configured anywhere may run a program, hide a change or rewrite a name while we look.
HARDENED = tuple(
    part
    for setting in (
        "core.fsmonitor=false core.hooksPath=/dev/null core.untrackedCache=false core.splitIndex=false "
        "core.sparseCheckout=false core.trustctime=true core.checkStat=default core.commitGraph=false "
        "core.multiPackIndex=false core.quotePath=false core.precomposeUnicode=false core.safecrlf=false "
        "core.protectHFS=true core.protectNTFS=true core.pager=cat core.editor=false core.sshCommand=false "
        "diff.renames=false diff.ignoreSubmodules=none diff.submodule=short diff.algorithm=myers "
        "diff.noprefix=false diff.mnemonicPrefix=false status.showUntrackedFiles=all "
        "submodule.recurse=false commit.gpgSign=false tag.gpgSign=false gc.auto=0 maintenance.auto=false "
        "protocol.allow=never core.filesRefLockTimeout=10000 core.packedRefsTimeout=10000"
    ).split()
    for part in ("-c", setting)
)
# Before the builder ran, the person's own settings are still theirs; only programs stay off.
TRUSTED = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")


class Git:
    """The one door to git: argv in, NUL-separated bytes out, in an environment made from nothing."""

    def __init__(self, program: str, cwd: str, options: Sequence[str], env: Mapping[str, str]) -> None:
        self.prefix = [program, "--no-pager", "--no-replace-objects", "--literal-pathspecs", *options]
        self.cwd, self.env = cwd, env
        self.deadline: Optional[float] = None

    def __call__(
        self, *args: str, stdin: bytes = b"", timeout: Optional[float] = None, fine: Sequence[int] = (0,)
    ) -> bytes:
        """Git's answer; GitError where its status is not `fine`."""
        with self.started(args) as process:
            output: bytes
            output, complaint = self.communicated(process, args, stdin, timeout)
        if process.returncode not in fine:
            raise GitError(args, process.returncode, complaint)
        return output

    @contextlib.contextmanager
    def meanwhile(self, *args: str, folder: str) -> Iterator[Callable[[], bytes]]:
        """Git at work while we are: its answer when we call for it, GitError where it complained at all.

        It writes into a file, so that nobody need listen; whoever leaves without the answer ends it.
        """
        path = os.path.join(folder, "git-answer")
        with open(path, "w+b") as output, self.started(args, stdout=output) as process:
            os.unlink(path)

            def answer() -> bytes:
                _, complaint = self.communicated(process, args, b"", None)
                if process.returncode != 0 or complaint.strip():
                    raise GitError(args, process.returncode, complaint)
                output.seek(0)
                return output.read()

            yield answer

    @contextlib.contextmanager
    def started(self, args: Sequence[str], **streams: Any) -> Iterator[Any]:
        from subprocess import PIPE, Popen

        pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE, **streams}
        # Ctrl-C in the terminal is for us, not for the git we are waiting for.
        with Popen([*self.prefix, *args], cwd=self.cwd, env=self.env, start_new_session=True, **pipes) as process:
            try:
                yield process
            finally:
                process.kill()  # nothing, where it has ended

    def communicated(self, process: Any, args: Sequence[str], stdin: bytes, timeout: Optional[float]) -> Any:
        from subprocess import TimeoutExpired

        limit = timeout or GIT_TIMEOUT_SECONDS
        if self.deadline is not None:
            limit = max(0.1, min(limit, self.deadline - time.monotonic()))
        try:
            return process.communicate(stdin, timeout=limit)
        except TimeoutExpired:
            detail = f"git {args[0]} ran out of time"
            raise halt(Code.STOP_INTERRUPTED, detail, error=ErrorKind.TICK_DEADLINE) from None

    def line(self, *args: str, stdin: bytes = b"", timeout: Optional[float] = None) -> str:
        return self(*args, stdin=stdin, timeout=timeout).decode("utf-8", "replace").strip()
