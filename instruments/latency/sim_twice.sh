#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# In virtual time, a run is the same each time and contains every release, and no task waits for
# more than the work of the others (0.5 us each) and the calls of the nucleus (some ns each).
# usage: sim_twice.sh PROGRAM
set -eu

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

number=0
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
	fi
}

measure() {
	"$program" --core sim --context "$1" --tasks 10 --duration 0.4 --json \
		--samples "$folder/$1.$2" >"$folder/$1.$2.json" || echo "# exit status $?"
}

# Ten tasks at 1 kHz have 5 releases a millisecond.
holds_every_release() {
	grep -q '"samples": 2000, "lost": 0, "overruns": 0, ' "$folder/$1.1.json" ||
		{ sed 's/^/# expected 2000 samples: /' "$folder/$1.1.json"; false; }
}

starts_in_time() {
	max=$(sed -n 's/.*"max_ns": \([0-9]*\),.*/\1/p' "$folder/$1.1.json")
	[ -n "$max" ] && [ "$max" -lt 6000 ] || { echo "# expected max below 6000 ns, not $max"; false; }
}

# Two CPUs at 1 kHz, each with a task that computes all the time: both serve all of their releases,
# in turn.
serves_two_cpus() {
	"$program" --core sim --context "$1" --cpus 2 --busy --duration 0.4 --json >"$folder/two.json" &&
		[ "$(grep -o '"overruns": 0, "samples": 400}' "$folder/two.json" | wc -l)" = 2 ] &&
		grep -q '"offset_ns": 500000, ' "$folder/two.json" ||
		{ sed 's/^/# expected 400 samples of each CPU: /' "$folder/two.json"; false; }
}

echo 1..12
for context in handler light task; do
	measure $context 1
	measure $context 2
	check "$context: two runs have the same samples" \
		cmp "$folder/$context.1" "$folder/$context.2"
	check "$context: holds every release" holds_every_release $context
	check "$context: starts in time" starts_in_time $context
	check "$context: serves two CPUs" serves_two_cpus $context
done
