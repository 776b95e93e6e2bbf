"""`python -m relais`, from whatever folder."""

from __future__ import annotations

import sys

# Python put the folder that it was started in on the path: the repo under judgement, or one beside it.
sys.path[:] = [entry for entry in sys.path if entry not in ("", sys.path[0])]

from relais import main  # noqa: E402 the path comes first

sys.exit(main())
