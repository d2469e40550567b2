#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# clocktest: its table, the clocks it knows, and what it refuses. usage: clocktest.sh PROGRAM CPU: the library clocktest_cpu.c
set -u

clocktest=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

row='^ *[0-9]+ +-?[0-9]+\.[0-9] +-?[0-9]+\.[0-9]{3} +0 +0\.0$'
for clock in CLOCK_REALTIME/0 CLOCK_MONOTONIC/1 coreclk/1 CLOCK_HOST_REALTIME/32; do
	if expect "table of ${clock%/*}" 0 "$clocktest" -C "${clock%/*}" -T 1 &&
		has 1 "^== Testing built-in ${clock%/*} \\(${clock#*/}\\)\$" &&
		has 1 '^CPU      ToD offset \[us\] ToD drift \[us/s\]      warps max delta \[us\]$' &&
		has 1 '^--- -------------------- ---------------- ---------- --------------$' &&
		[ "$(grep -c -E "$row" "$folder/out")" -ge 1 ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "tells how the host's clock is known" 0 "$clocktest" -D -C 32 -T 1 &&
	has 1 '^XNVDSO_FEAT_HOST_REALTIME not available$' && has 1 '^== Testing built-in CLOCK_HOST_REALTIME \(32\)$'; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "takes what every program takes" 0 "$clocktest" --quiet --session=clocktest --mem-pool-size=8M -T 1 && has 1 '^== Testing' &&
	expect "and refuses it" 2 "$clocktest" --cpu-affinity=x && [ ! -s "$folder/out" ]; then
	ok "takes what every program takes"
else
	not_ok "takes what every program takes"
fi
if ! taskset -cp $$ | grep -q ': 0'; then
	:
elif expect "a CPU that cannot be looked at" 2 env LD_PRELOAD="$2" "$clocktest" -T 1 && has 0 '^ *[0-9]' &&
	grep -q '^clocktest: the clock of CPU 0 cannot be read: ' "$folder/err"; then
	ok "$name"
else
	not_ok "$name"
fi
for signal in INT TERM HUP ALRM; do
	if expect_by "$signal" '^---' "ends well by $signal" 0 "$clocktest" && [ "$(grep -c -E "$row" "$folder/out")" -ge 1 ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "names the letter that is wrong" 2 "$clocktest" -DzT1 && grep -q '^clocktest: -z: unknown option' "$folder/err"; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "help" 0 "$clocktest" --help && has 1 '^usage: clocktest' && has 0 '^.{81}'; then
	ok "$name"
else
	not_ok "$name"
fi
for wrong in '-C none' '-C 99' '-C -1' '-T x' '-T -1' '-T' '-E' word; do
	# Words of it are arguments.
	if expect "refuses $wrong" 2 "$clocktest" $wrong && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
echo "1..$number"
