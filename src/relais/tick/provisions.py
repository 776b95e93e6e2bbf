"""What any later moment of this process may need is taken in before its first builder begins.

A builder that nothing confines could rewrite on disk what Python would load afterwards, the standard library included.
"""

from __future__ import annotations

from relais.settings.admission import SCHEMA_NAMES
from relais.world.carried import hold_all
from relais.world.host import Library

# What is imported where it is used, because other commands need not pay for it; and the codec that `visible` asks for.
TAKEN_IN = """
    datetime encodings.unicode_escape hashlib marshal select selectors shlex shutil signal subprocess zlib zoneinfo
""".split()


def take_in() -> None:
    """Load all of it, and nothing ever after."""
    if not Library.is_closed:
        for name in TAKEN_IN:
            __import__(name)
        hold_all(("jail.py", *(f"schemas/{name}.schema.json" for name in SCHEMA_NAMES)), SCHEMA_NAMES)
        Library.is_closed = True
