#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# An unknown letter is named, also among others. usage: names_letters.sh PROGRAM... TAP.
set -u

echo "1..$#"
number=0
for program in "$@"; do
	number=$((number + 1))
	name=$(basename -- "$program")
	said=$("$program" -zq 2>&1)
	status=$?
	if [ $status -eq 2 ] && [ "$said" = "$name: -z: unknown option; see --help" ]; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		printf '%s\n' "$said" | sed "s/^/# status $status: /"
	fi
done
