#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# xeno-test and dohell: the order of what they run, how long, what is left of it, and what they refuse. Who ends whom is in
# xeno-test_ends.sh.
# usage: xeno-test.sh FOLDER
set -u

tools=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

runs_of() {
	sed -n 's/^++ .*\/\(clocktest\|switchtest\|latency\).*/\1/p' "$folder/out" | tr '\n' ' '
}

if expect "all of them under a load that ends with it" 0 "$tools/xeno-test" --seconds 1 -l "sleep 4242" -t 2 -T1 -p 1000 &&
	[ "$(runs_of)" = 'clocktest switchtest switchtest latency ' ] &&
	has 1 '^Started load: sleep 4242$' && has 1 '^== Test mode: timer handler$' && has 1 '^RTS\|' && ! pgrep -f 'sleep 4242' >/dev/null; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "-h is help where it comes first" 0 "$tools/xeno-test" -h && has 1 '^usage: xeno-test'; then
	ok "$name"
else
	not_ok "$name"
fi
# A load that ends when a second of latency, whose figures have fractions, was told.
printf 'until grep -q "^RTD|.*[.]" "%s"; do sleep 0.1; done\n' "$folder/out" >"$folder/load"
if expect "latency as long as the load" 0 "$tools/xeno-test" --seconds 1 -l "sh $folder/load" && has 1 '^RTS\|'; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "no latency without a load" 1 timeout 60 "$tools/xeno-test" --seconds 1 -l true && has 0 '^RTS\|' &&
	[ "$(wc -l <"$folder/err")" -eq 1 ]; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "what a tool refuses ends it" 1 "$tools/xeno-test" --seconds 1 -l "sleep 4343" -T x && ! pgrep -f 'sleep 4343' >/dev/null; then
	ok "$name"
else
	not_ok "$name"
fi
for wrong in '--seconds x' '--seconds 0' '-l'; do
	# Words of it are arguments.
	if expect "xeno-test refuses $wrong" 2 "$tools/xeno-test" $wrong && [ "$(wc -l <"$folder/err")" -eq 1 ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
if expect "loads end in time and leave nothing" 0 "$tools/dohell" -m "$folder" 1 && [ -z "$(ls "$folder" | grep dohell)" ] &&
	! pgrep -f "of='?$folder/dohell" >/dev/null; then
	ok "$name"
else
	not_ok "$name"
fi
# A load that no other run has, which would go on for long, two processes below the load's shell.
long="sleep 77$$"
printf '#!/bin/sh\n%s\n:\n' "$long" >"$folder/bench"
chmod +x "$folder/bench"
"$tools/dohell" -b "$folder/bench" 4444 >/dev/null 2>&1 &
dohell=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 1
	before=$(pgrep -fxc "$long")
	[ "$before" -eq 0 ] || break
done
kill -KILL "$dohell"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	pgrep -f "$folder/bench|^$long\$" >/dev/null || break
	sleep 1
done
name="loads of one that was killed end too"
if [ "$before" -ge 1 ] && ! pgrep -f "$folder/bench|^$long\$" >/dev/null; then
	ok "$name"
else
	not_ok "$name"
fi
for wrong in x '-b /none' '-m /none' '-l /none' '-z' '-m' '1 2'; do
	if expect "dohell refuses $wrong" 2 "$tools/dohell" $wrong && [ "$(wc -l <"$folder/err")" -eq 1 ]; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
echo "1..$number"
