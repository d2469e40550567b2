# SPDX-License-Identifier: LGPL-2.1-or-later
"""What samples say beyond their figures: rare latencies, verdicts, differences. Pure functions."""
