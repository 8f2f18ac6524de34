"""`python -m scellis`, the same as `scellis`."""

import sys

from scellis.cli.main import main

sys.exit(main())
