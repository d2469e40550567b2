# SPDX-License-Identifier: LGPL-2.1-or-later
"""`python -m tactus`: what the script at the root of the project starts."""

import sys

from tactus.cli import main

sys.exit(main(sys.argv[1:]))
