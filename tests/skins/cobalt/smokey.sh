#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A program of tests, built like Xenomai's: which tests its command line selects, and their
# arguments. usage: smokey.sh PROGRAM
set -u

program=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/../alchemy/tools/cases.sh"

# case NAME STATUS PATTERNS WORDS...: the output has exactly one line for each of PATTERNS, in order
says() {
	wanted_lines=$3
	if expect "$1" "$2" "$program" $4 && [ "$(cat "$folder/out")" = "$wanted_lines" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
}

says "nothing is run without --run" 0 "" ""
says "tests are told" 0 "#0   first_one
	Does nothing, well
#1   takes_arguments
	Tells its arguments
#2   fails
	Fails in each way
#3   has_barrier
	Waits for a thread, and for nobody
#4   names_its_own
	Tells its arguments by their names" "--list"
says "a test by its name" 0 "first_one of 1 words, level 1, vm 0
first_one: OK" "--run=first_one"
says "traces with --verbose=2, and a virtual machine" 0 "first_one of 1 words, level 2, vm 1
a trace
first_one: OK" "--verbose=2 --run=0 --vm"
says "little with --quiet" 0 "first_one: OK" "--quiet --run=0"
says "a test by a pattern, with arguments" 0 "3 arguments
number -7
flag 1
text of=it
takes_arguments: OK" "--run=takes* number=-7 flag text=of=it"
says "a range backwards" 0 "0 arguments
takes_arguments: OK
first_one of 1 words, level 1, vm 0
first_one: OK" "--run=1-0"
says "all but one" 0 "first_one of 1 words, level 1, vm 0
first_one: OK
0 arguments
takes_arguments: OK
true: OK
false: FAILED
none: Xenomai's kernel modules do not exist here
has_barrier: ENOSYS
0 arguments
names_its_own: OK" "--run --exclude=fails"
says "arguments by their names" 0 "4 arguments
4096 bytes
some, 3, 1
names_its_own: OK" "--run=4 mem_size=4096 number=3 flag=2 text=some"
for size in 0x1000:4096 64K:65536 64k:65536 2M:2097152 1G:1073741824; do
	says "a size ${size%:*}" 0 "1 arguments
${size#*:} bytes
names_its_own: OK" "--run=4 mem_size=${size%:*}"
done
for size in 0 -1 K 1T 64KB 18446744073709551616 9007199254740992M; do
	says "no size $size" 0 "0 arguments
names_its_own: OK" "--run=4 mem_size=$size"
	if [ "$(wc -l <"$folder/err")" -eq 1 ]; then ok "no size $size is told"; else not_ok "no size $size is told"; fi
done
says "a failure ends the run" 1 "fails: EPROTO" "--run=fails,0"
if [ "$(grep -c '^smokey.c:[0-9]*, ' "$folder/err")" -eq 8 ]; then ok "failures are told with their place"; else not_ok "failures are told with their place"; fi
says "a failure does not end it with --keep-going" 1 "fails: EPROTO
first_one of 1 words, level 1, vm 0
first_one: OK" "--run=fails,first_one --keep-going"
for wrong in --run=none --run=5 --run=0-x --exclude; do
	if expect "refuses $wrong" 1 "$program" "$wrong" && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
echo "1..$number"
