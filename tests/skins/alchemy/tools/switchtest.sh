#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# switchtest: its lines, which scripts of its users read, who takes part, and what it refuses.
# usage: switchtest.sh PROGRAM [LIAR]: the library switchtest_liar.c
set -u

switchtest=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

if expect "counts each second" 0 "$switchtest" -T 3 -l 2 rtk rtup rtus rtuo &&
	has 1 '^== Testing FPU check routines\.\.\.$' && has 1 '^== FPU check routines: OK\.$' &&
	has 24 '^(r|xmm)[0-9]+: 1 != 2$' &&
	has 1 '^== Threads: sleeper_ufps([0-9]+)-0 rtk[0-9]+-1 rtup[0-9]+-2 rtus[0-9]+-3 rtuo[0-9]+-4$' &&
	has 2 '^RTT\|  00:00:0[13]$' &&
	has 2 '^RTH\|---------cpu\|ctx switches\|-------total$' &&
	has 3 '^RTD\|[ 0-9]{12}\|[ 0-9]{12}\|[ 0-9]{12}$'; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "two of each kind without threads" 0 "$switchtest" -q -n -T 1 && has 0 '^RT' && has 1 '^== Threads: sleeper0?[0-9]*-0( rt[a-z]+[0-9]+-[0-9]+){8}$'; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "floating point in both modes" 0 "$switchtest" -T 1 -s 20000 rtk_fp rtup_ufpp rtus_ufps rtuo_ufpp_ufps && has 1 '^RTD'; then
	ok "$name"
else
	not_ok "$name"
fi
# A task that is released some 45 us early each 50 us leaves the others turns all the same.
if expect "goes on under releases that are too early" 0 env TACTUS_GRAVITY=0:0:0:0:45000 "$switchtest" -T 1; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "nothing is printed with -Q" 0 "$switchtest" -Q -T 1 rtk && [ ! -s "$folder/out" ]; then
	ok "$name"
else
	not_ok "$name"
fi
for wrong in rtx rtup_bad rtup0x rtup_fp rtk_ufps rtus_ufpp rtup4000 '-T -1' '-l x' '-s 0' '-T'; do
	# Words of it are arguments.
	if expect "refuses $wrong" 2 "$switchtest" -Q $wrong && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "takes what every program takes" 0 "$switchtest" --silent --mem-pool-size=8M --freeze -T 1 rtk rtup && has 1 '^== Threads:' && has 0 '^RT' &&
	expect "and refuses it" 2 "$switchtest" -T 1 --cpu-affinity=x && grep -q '^[a-z-]*: --cpu-affinity=x: ' "$folder/err" &&
	expect "and a CPU that no Linux counts" 2 "$switchtest" -T 1 --cpu-affinity=2000 && grep -q '^[a-z-]*: --cpu-affinity=2000: ' "$folder/err"; then
	ok "takes what every program takes"
else
	not_ok "takes what every program takes"
fi
# Its tasks are told to be in primary mode where they are not.
if [ $# -eq 1 ]; then
	:
elif expect "what is wrong ends it" 1 env LD_PRELOAD="$2" "$switchtest" -T 9 rtus && grep -q '^Error after context switch from task [0-9]*(.*) to task [0-9]*(.*),$' "$folder/err" &&
	! grep -q '^trace off$' "$folder/err" && expect "and the trace" 1 env LD_PRELOAD="$2" "$switchtest" -f -T 9 rtus && grep -q '^trace off$' "$folder/err"; then
	ok "what is wrong ends it, and the trace with -f"
else
	not_ok "what is wrong ends it, and the trace with -f"
fi
for signal in INT TERM HUP ALRM; do
	if expect_by "$signal" '^== Threads' "ends well by $signal" 0 "$switchtest" -n rtk rtup && has 1 '^== Threads'; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "names the letter that is wrong" 2 "$switchtest" --nofpu -qzT1 && grep -q '^switchtest: -z: unknown option' "$folder/err" &&
	expect "and the word" 2 "$switchtest" --nofpu=x -T1 && grep -q '^switchtest: --nofpu=x: unknown option' "$folder/err"; then
	ok "names what is wrong"
else
	not_ok "names what is wrong"
fi
if expect "help" 0 "$switchtest" --help && has 1 '^usage: switchtest' && has 0 '^.{81}'; then
	ok "$name"
else
	not_ok "$name"
fi
echo "1..$number"
