"""Standard error, to which nobody waits long to write: a stopped terminal or a full pipe must not stop a tick's clocks."""

from __future__ import annotations

import contextlib
import os
import stat
import sys

from relais.typed import Optional
from relais.world.processes import never_stopped

PATIENCE_SECONDS, KEPT_BYTES = 2.0, 65_536
PIECE = 512  # what any pipe takes at once that takes anything


class Outlet:
    """Takes every text; what the other side does not take yet is said before the next one, the newest of it at least."""

    descriptor: Optional[int] = None
    unsaid, patience = b"", PATIENCE_SECONDS

    @classmethod
    def say(cls, text: str) -> None:
        """OSError or ValueError where nobody listens any more."""
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.flush()
        if cls.descriptor is None:
            cls.descriptor = reopened(sys.stderr.fileno())
        with never_stopped():
            unsaid = said_within(cls.descriptor, cls.unsaid + text.encode(encoding, "backslashreplace"), cls.patience)
        # Whoever did not listen for so long is asked again with every text, but not waited for.
        cls.patience = 0.0 if unsaid else PATIENCE_SECONDS
        cls.unsaid = unsaid[-KEPT_BYTES:]


def reopened(stream: int) -> int:
    """The same terminal or pipe for us alone, which says that it is full instead of making us wait (Linux).

    The flag for that belongs to whatever was opened, and the person's shell writes through what we were given.
    """
    mode = os.fstat(stream).st_mode
    if sys.platform == "linux" and (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)):
        with contextlib.suppress(OSError):  # a terminal of another user's, after `su`
            return os.open(f"/proc/self/fd/{stream}", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    return stream


def said_within(descriptor: int, data: bytes, seconds: float) -> bytes:
    """Write as much as is taken in this time; what is left."""
    import select

    while data:
        if not select.select([], [descriptor], [], seconds)[1]:
            break
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(descriptor, data[:PIECE]) :]
    return data
