"""After a crash: whose a change is, by its time and by what the builder could reach."""

from __future__ import annotations

from enum import Enum

from relais.typed import NamedTuple

# A confined builder ends with its runner, whose last sign of life may be this much older than its end.
GRACE_NS = 2_000_000_000


class Whose(Enum):
    """Who changed something: it is put back, it is left alone, or the person is asked."""

    BUILDER = "builder"
    PERSON = "person"
    UNKNOWN = "unknown"


class LastSign(NamedTuple):
    """What a dead runner left to judge by. Times are the disk's, in nanoseconds."""

    at: int
    # Nothing of the builder's or the checks' lived any more.
    is_quiet: bool
    # All that ran could neither write to git's folder nor outlive the runner.
    is_jailed: bool
    # When this machine was started again since, which ends every builder; 0 where it was not.
    rebooted: int = 0
    # The clock went back, the files were brought from elsewhere, or there is no sign at all.
    is_unsure: bool = False
    # Nothing but the person's word says that this is the repository at all.
    is_stranger: bool = False


def whose(changed: int, sign: LastSign, *, is_shielded: bool) -> Whose:
    """Whose a change is that the disk dates at `changed`; a jail shields git's folder, the workspace and the configuration."""
    if is_shielded and (sign.is_jailed or sign.is_stranger):
        return Whose.PERSON
    if sign.is_unsure:
        return Whose.UNKNOWN
    if changed <= sign.at:
        return Whose.BUILDER
    if (sign.is_quiet or sign.is_jailed) and changed > sign.at + GRACE_NS:
        return Whose.PERSON
    return Whose.PERSON if sign.rebooted and changed > sign.rebooted else Whose.UNKNOWN
