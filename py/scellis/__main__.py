"""`python -m scellis`, the same as `scellis`."""

import sys

from scellis.cli import main

sys.exit(main())
