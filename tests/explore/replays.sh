#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The same seed gives the same schedules: run after run, with other runs beside it, and while another
# program keeps the processors busy; another seed gives others.
set -eu

explore=$1
number=0
echo "1..4"

hash_of() {
	"$explore" --seed "$1" | sed -n 's/^hash: //p'
}

# expect NAME CONDITION-AS-TEST-ARGUMENTS
expect() {
	name=$1
	shift
	number=$((number + 1))
	if test "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		echo "# $*"
	fi
}

first=$(hash_of 7)
expect "a seed has a hash" -n "$first"
expect "the same seed in another process" "$(hash_of 7)" = "$first"

for _ in 1 2 3; do
	timeout 20 sh -c 'while :; do :; done' &
	busy="${busy-} $!"
done
expect "the same seed while the processors are busy" "$(hash_of 7)" = "$first"
# shellcheck disable=SC2086 # one argument each
kill $busy 2>/dev/null || true
wait

expect "another seed" "$(hash_of 8)" != "$first"
