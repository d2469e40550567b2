#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# latency in virtual time: its table, which scripts of its users read, its histograms, and what it
# refuses. usage: latency.sh PROGRAM [LATE]: the library latency_late.c
set -u

latency=$1
late=${2:-}
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

us='[ ]+-?[0-9]+\.[0-9]{3}'
for mode in 0 1 2; do
	if expect "table of -t$mode" 0 "$latency" -t "$mode" -T 3 -p 1000 -P 80 -l 2 &&
		has 1 '^== Sampling period: 1000 us$' &&
		has 1 '^warming up\.\.\.$' &&
		has 2 '^RTT\|  00:00:0[13]  \(.*, 1000 us period, priority 80\)$' &&
		has 2 '^RTH\|----lat min\|----lat avg\|----lat max\|-overrun\|---msw\|---lat best\|--lat worst$' &&
		has 3 "^RTD\|$us\|$us\|$us\|       0\|     0\|$us\|$us$" &&
		has 1 "^RTS\|$us\|$us\|$us\|       0\|     0\|    00:00:03/00:00:03$"; then
		ok "$name"
	else
		not_ok "$name"
	fi
done

if expect "what users of the tracer and of several devices say is taken" 0 "$latency" -f -D 0 -T 1 && has 1 '^RTS'; then
	ok "$name"
else
	not_ok "$name"
fi

if expect "only the summary with -q" 0 "$latency" -q -T 1 && has 0 '^RT[DTH]' && has 1 '^RTS'; then
	ok "$name"
else
	not_ok "$name"
fi

if expect "histograms and statistics of each sample" 0 "$latency" -h -s -T 2 -p 100 -H 10 -B 100 -g "$folder/plot" &&
	has 1 '^HSD\|    min\|   0 -  1 \|        2$' &&
	has 1 '^HSD\|    avg\|   0 -  1 \|    20000$' &&
	has 1 '^HSH\|--param\|--samples-\|--average--\|---stddev--$' &&
	has 1 '^HSS\|    avg\|     20000\|      0\.000\|      0\.000$' &&
	printf '0 1\n0.05 20001\n0.1 1\n' | cmp -s - "$folder/plot"; then
	ok "$name"
else
	not_ok "$name"
fi

# Of the first release, and those each 0.6 or 0.7 s from there on, these are in the seconds after the first one.
for long in '600000 10 17' '700000 7 10'; do
	# Words of it are arguments.
	set -- $long
	if expect "-T is in seconds at a period of $1 us" 0 "$latency" -s -p "$1" -T "$2" && has "$2" '^RTD' &&
		has 1 "^RTS\\|.*\\|    00:00:$(printf %02d "$2")/00:00:$(printf %02d "$2")\$" && has 1 "^HSS\\|    avg\\|        $3\\|"; then
		ok "$name"
	else
		not_ok "$name"
	fi
done

if expect "- is the standard output" 0 "$latency" -g - -T 1 -p 100 -H 10 -B 100 && has 1 '^0\.05 10001$' && has 1 '^RTS'; then
	ok "$name"
else
	not_ok "$name"
fi

for signal in INT TERM HUP ALRM; do
	if expect "-q without an end is taken back, $signal is one" 0 timeout --preserve-status -s "$signal" 1 "$latency" -q -p 100000 &&
		has 1 '^RTS' && grep -q -- '-q only works if -T has been given' "$folder/err"; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "names the letter that is wrong" 2 "$latency" -qzT1 && grep -q '^latency: -z: unknown option' "$folder/err" &&
	expect "and the word" 2 "$latency" --helpless && grep -q '^latency: --helpless: unknown option' "$folder/err"; then
	ok "names what is wrong"
else
	not_ok "names what is wrong"
fi
if expect "what every program takes is refused as its own" 2 "$latency" --mem-pool-size=x -T 1 && [ ! -s "$folder/out" ]; then
	ok "$name"
else
	not_ok "$name"
fi

if expect "what is beyond the last cell is told" 0 "$latency" -h -T 1 -p 1000 -H 1 -B 1 && grep -q '1000 samples were beyond' "$folder/err"; then
	ok "$name"
else
	not_ok "$name"
fi

if expect "what every program takes, and Xenomai's period" 0 "$latency" --cpu-affinity=0 -T 1 -q && has 1 '^== Sampling period: 100 us' && has 1 '^RTS'; then
	ok "$name"
else
	not_ok "$name"
fi

for wrong in '-p 9' '-p x' '-T -1' '-t 3' '-P 100' '-P 0' '-H 0' '-B 0' '-c -1' '-l -1' '-D 1' '-p' 'word'; do
	# Words of it are arguments.
	if expect "refuses $wrong" 2 "$latency" $wrong && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done

# The sampler without the processor: between the count of what has passed and its look at the clock, and before its first
# instant is set.
name="an instant that passes meanwhile moves no later one"
if [ -z "$late" ]; then
	:
elif expect "$name" 0 env LATENCY_LATE=handler LD_PRELOAD="$late" "$latency" -t 2 -T 3 -p 1000 &&
	has 1 '^RTS\|      0\.[0-9]{3}\|[ 0-9.]+\|   1500\.[0-9]{3}\|       0\|'; then
	ok "$name"
else
	not_ok "$name"
fi
# It takes one and a half periods each time: two runs in three.
name="-T is in seconds, with overruns"
if [ -z "$late" ]; then
	:
elif expect "$name" 0 env LATENCY_LATE=handlers LD_PRELOAD="$late" "$latency" -t 2 -T 1 -p 1000 -s && has 1 '^RTD' &&
	has 1 '^HSS\|    avg\|       66[0-9]\|'; then
	ok "$name"
else
	not_ok "$name"
fi
name="a sampler that is stopped ends it, -t2"
if [ -z "$late" ]; then
	:
elif expect "$name" 1 env LATENCY_LATE=handlers LD_PRELOAD="$late" timeout 60 "$latency" -t 2 -T 60 -p 1000 &&
	[ "$(grep -c '^latency: ' "$folder/err")" -eq 1 ]; then
	ok "$name"
else
	not_ok "$name"
fi
for mode in 0 1; do
	[ -n "$late" ] || break
	if expect "a late start of -t$mode is tried again" 0 env LATENCY_LATE=start LD_PRELOAD="$late" timeout 60 "$latency" -t "$mode" -T 1 &&
		has 1 '^RTS\|      0\.[0-9]{3}\|'; then
		ok "$name"
	else
		not_ok "$name"
	fi
	if expect "one that is always late is told, -t$mode" 1 env LATENCY_LATE=starts LD_PRELOAD="$late" timeout 60 "$latency" -t "$mode" -T 1 &&
		[ "$(wc -l <"$folder/err")" -eq 1 ] && has 0 '^RTS'; then
		ok "$name"
	else
		not_ok "$name"
	fi
	if expect "a sampler that is stopped ends it, -t$mode" 1 env LATENCY_LATE=stopped LD_PRELOAD="$late" timeout 60 "$latency" -t "$mode" -T 1 &&
		[ "$(grep -c '^latency: ' "$folder/err")" -eq 1 ] && has 0 '^RTS'; then
		ok "$name"
	else
		not_ok "$name"
	fi
done

if expect "a file that cannot be written fails the run" 1 "$latency" -g "$folder/none/plot" -T 1; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "help" 0 "$latency" --help && has 1 '^usage: latency'; then
	ok "$name"
else
	not_ok "$name"
fi
echo "1..$number"
