"""When an agent may be asked again: after its limit, in whichever way it says so, or when its service is back."""

from __future__ import annotations

import os
import re

from relais.contract.codes import TRANSIENT
from relais.contract.findings import Reply
from relais.typed import Optional

# How long to wait for an agent that reached a limit: after the reset it named, or so long where it named none.
RESET_MARGIN_SECONDS, BACK_OFF_SECONDS = 60, (120, 300, 600, 900, 1800)
# For a service in trouble: so long at first, twice that each time in a row, and never longer than half an hour. Others
# wait for the same service, so nobody waits exactly that long.
SERVICE_SECONDS, SERVICE_LONGEST_SECONDS, JITTER = 15, 1800, 0.2

RESET_EPOCH = r"limit reached\|(\d{9,11})\b"
RESET_DELAY = (
    r"(?i)(?:try again|retry) in ((?:\d+(?:\.\d+)? ?(?:ms|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z]),? ?)+)"
    r"|retry-after:? ?(\d+)\b(?!:)"
)
RESET_CLOCK = (
    r"(?i)(?:resets?|try again) (?:at )?(?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (?:(\d{4}),? )?(?:at )?)?"
    r"(\d{1,2})(?::(\d\d))? ?(?:([ap])\.?m\.?)(?: \(([^)]*)\))?"
)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def reset_time(said: str, now: float) -> Optional[int]:
    """When a limit ends, in whichever way its message says so; None where it does not, or names no real time."""
    epoch, delay, clock = re.search(RESET_EPOCH, said), re.search(RESET_DELAY, said), re.search(RESET_CLOCK, said)
    if epoch:
        return int(epoch.group(1))
    if delay:
        parts = re.findall(r"(\d+(?:\.\d+)?) ?(ms|[hms])", (delay.group(1) or f"{delay.group(2)}s").lower())
        seconds = {"h": 3600, "m": 60, "s": 1, "ms": 0.001}
        return int(now + sum(float(amount) * seconds[unit] for amount, unit in parts)) + 1
    return clock_time(clock, now) if clock else None


def clock_time(said: re.Match[str], now: float) -> Optional[int]:
    """The next moment after `now` that a clock in the named zone (here, where none is named) shows this."""
    import datetime
    import zoneinfo

    month, day, year, hour, minute, half, zone = said.groups()
    try:
        # One that the system does not have would be looked for in a package, and nothing is loaded any more by now.
        if zone and not any(os.path.isfile(os.path.join(folder, zone)) for folder in zoneinfo.TZPATH):
            return None
        place = zoneinfo.ZoneInfo(zone) if zone else None
        today = datetime.datetime.fromtimestamp(now, place)
        moment = today.replace(
            hour=int(hour) % 12 + (12 if half.lower() == "p" else 0), minute=int(minute or 0), second=0, microsecond=0
        )
        if not month:
            return int((moment if moment > today else moment + datetime.timedelta(days=1)).timestamp())
        moment = moment.replace(int(year or today.year), MONTHS.index(month.lower()) + 1, int(day))
        if not year and moment < today - datetime.timedelta(days=1):
            moment = moment.replace(today.year + 1)
        return int(moment.timestamp())
    except (ValueError, OSError, OverflowError, zoneinfo.ZoneInfoNotFoundError):
        return None


# Whatever an agent's tools run can write to the agent's own output, and so forge what it says of a limit. A real one
# meets the Brain of the next tick, too, which has no tools: its word is taken for as long as it says.
BELIEVED_SECONDS = {"builder": 300}


def retry_time(role: str, reply: Reply, troubles_in_a_row: int, now: float) -> float:
    """When to ask again, for as long as whoever told of the trouble is believed."""
    told = service_time if reply.error in TRANSIENT else told_retry_time
    return min(told(reply, troubles_in_a_row, now), now + BELIEVED_SECONDS.get(role, float("inf")))


def service_time(_: Reply, troubles_in_a_row: int, now: float) -> float:
    chance = os.urandom(1)[0] / 255
    seconds = min(SERVICE_SECONDS << min(troubles_in_a_row, 10), SERVICE_LONGEST_SECONDS)
    return now + seconds * (1 + JITTER * (2 * chance - 1))


def told_retry_time(reply: Reply, troubles_in_a_row: int, now: float) -> float:
    """A margin after the reset that was named, else later each time in a row."""
    resets = reply.resets_at or reset_time(reply.said, now)
    if resets and now < resets + RESET_MARGIN_SECONDS < 1 << 32:  # one in the past, or ages away, says nothing
        return resets + RESET_MARGIN_SECONDS
    return now + BACK_OFF_SECONDS[min(troubles_in_a_row, len(BACK_OFF_SECONDS) - 1)]
