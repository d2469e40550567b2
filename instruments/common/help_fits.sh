#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# No line of a help text has more than 80 columns. usage: help_fits.sh PROGRAM... TAP.
set -u

echo "1..$#"
number=0
for program in "$@"; do
	number=$((number + 1))
	said=$("$program" --help) || said=
	wide=$(printf '%s\n' "$said" | LC_ALL=C.UTF-8 awk 'length($0) > 80')
	if [ -n "$said" ] && [ -z "$wide" ]; then
		echo "ok $number - $(basename -- "$program")"
	else
		echo "not ok $number - $(basename -- "$program")"
		printf '%s\n' "$wide" | sed 's/^/# /'
	fi
done
