"""`python -m relais`, from whatever folder."""

import sys

from relais import main

sys.exit(main())
