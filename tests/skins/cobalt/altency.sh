#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# altency: the table and the figures of latency, for a POSIX thread, and its refusals. usage:
# altency.sh PROGRAM
set -u

altency=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/../alchemy/tools/cases.sh"

us='[ ]+-?[0-9]+\.[0-9]{3}'
if expect "the table" 0 "$altency" -T 2 -p 1000 -P 80 -l 2 &&
	has 1 '^== Sampling period: 1000 us$' &&
	has 1 '^== Test mode: periodic user-mode task$' &&
	has 1 '^warming up\.\.\.$' &&
	has 1 '^RTT\|  00:00:01  \(periodic user-mode task, 1000 us period, priority 80\)$' &&
	has 1 '^RTH\|----lat min\|----lat avg\|----lat max\|-overrun\|---msw\|---lat best\|--lat worst$' &&
	has 2 "^RTD\|$us\|$us\|$us\|[ 0-9]{8}\|     0\|$us\|$us$" &&
	has 1 "^RTS\|$us\|$us\|$us\|[ 0-9]{8}\|     0\|    00:00:02/00:00:02$"; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "histograms, and a file for gnuplot" 0 "$altency" -q -h -s -T 1 -p 500 -H 10 -B 100000 -g "$folder/plot" &&
	has 0 '^RT[DTH]' && has 3 '^HSS\|' && [ "$(wc -l <"$folder/plot")" -ge 3 ]; then
	ok "$name"
else
	not_ok "$name"
fi
# Nor is a thread of Linux measured instead.
if expect "a CPU that there is not" 2 timeout 60 "$altency" -c 1023 -T 1 && has 0 '^RT' && [ "$(grep -c '^altency: ' "$folder/err")" -eq 1 ]; then
	ok "$name"
else
	not_ok "$name"
fi
last=$(taskset -cp $$ | sed 's/.*[:,-] *//')
end_beside() {
	kill $other
	wait $other
}
beside env TACTUS_SHARE=1 "$altency" -c "$last"
if expect "a CPU that another program has, too" 0 timeout 60 "$altency" -c "$last" -T 1 && has 1 '^RTS'; then
	ok "$name"
else
	not_ok "$name"
fi
end_beside
beside env TACTUS_SHARE=0 "$altency" -c "$last"
if expect "a CPU that another program has alone" 2 timeout 60 "$altency" -c "$last" -T 1 && has 0 '^RT' &&
	[ "$(grep -c '^altency: ' "$folder/err")" -eq 1 ]; then
	ok "$name"
else
	not_ok "$name"
fi
end_beside
for wrong in '-t 1' '-p 9' '-P 100' '-D 1' 'word'; do
	# The words of the variable are arguments.
	if expect "refuses $wrong" 2 "$altency" $wrong && [ "$(grep -c '^altency: ' "$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
echo "1..$number"
