#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# usage: check.sh sim|thread PROGRAM
# sim: the ball stays where it belongs, and two runs are the same to the last byte. thread: it runs, and every
# turn is logged; how late it was is no test's business.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

go() {
	turn=0
	until timeout -k 2 60 "$2" --seconds 1 "$folder/$1.csv" >"$folder/$1.out" 2>"$folder/$1.err"; do
		turn=$((turn + 1))
		if ! grep -q leased "$folder/$1.err" || [ "$turn" -gt 60 ]; then
			cat "$folder/$1.err"
			exit 1
		fi
		sleep 1
	done
	cat "$folder/$1.out"
}

# Ten thousand turns, one line each, behind a comment and the heads; some may have been lost on a busy machine.
lines() {
	wc -l <"$folder/$1.csv"
}

go first "$2"
if [ "$1" = thread ]; then
	[ "$(lines first)" -gt 1000 ] || { echo "only $(lines first) lines"; exit 1; }
	! grep -q 'log task: 0$' "$folder/first.out" || { echo "the log task made no mode switch"; exit 1; }
	exit 0
fi
go second "$2"
cmp "$folder/first.csv" "$folder/second.csv"
[ "$(lines first)" -eq 10002 ] || { echo "expected 10002 lines, actual $(lines first)"; exit 1; }
awk -F, 'NR > 2 && ($3 < 1.7 || $3 > 2.5) { print "line " NR ": gap " $3; bad = 1 } END { exit bad }' "$folder/first.csv"
grep -q 'ball lost 0 times' "$folder/first.out"
