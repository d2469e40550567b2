#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The library's undefined symbols are all defined in itself: needs_no_libc.sh NM LIBRARY
set -eu

undefined=$("$1" --no-sort "$2" 2>/dev/null | awk '
	NF == 2 && $1 == "U" { wanted[$2] = 1 }
	NF == 3 { defined[$3] = 1 }
	END { for (name in wanted) if (!(name in defined) && name != "_GLOBAL_OFFSET_TABLE_") print name }')
defined=$("$1" "$2" 2>/dev/null | grep -c ' T base_') || true
if [ "$defined" -lt 30 ]; then
	echo "expected at least 30 functions in $2, actual $defined" >&2
	exit 1
fi
if [ -n "$undefined" ]; then
	echo "expected no undefined symbol, actual:" $undefined >&2
	exit 1
fi
