#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# If the CPU is lost for 4.5 periods, this is the latency of the release that waited for it, in each
# context alike, and every release of the run is a sample or an overrun.
# usage: sim_theft.sh PROGRAM THEFT: the library sim_theft.c
set -eu

number=0
echo 1..3
for context in handler light task; do
	number=$((number + 1))
	result=$(LD_PRELOAD=$2 "$1" --core sim --context "$context" --duration 0.4 --json) || result="exit status $?"
	max=$(echo "$result" | sed -n 's/.*"max_ns": \([0-9]*\),.*/\1/p' | head -n 1)
	releases=$(echo "$result" | sed -n 's/.*"samples": \([0-9]*\), "lost": 0, "overruns": \([0-9]*\), .*/\1 + \2/p')
	if [ "${max:-0}" -ge 3500000 ] && [ $((${releases:-0})) -eq 400 ]; then
		echo "ok $number - $context"
	else
		echo "not ok $number - $context"
		echo "$result" | sed 's/^/# expected max_ns of 3500000 or more, and 400 releases: /'
	fi
done
