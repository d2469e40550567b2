#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# xeno-test and dohell: the order of what they run, how long, what is left of it, and what they refuse.
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
# Tools that do what a case says, in a folder with a blank in its name. What lasts is told by a time that no other run has.
stubs="$folder/with blank"
mkdir "$stubs"
cp "$tools/xeno-test" "$stubs"
# stub NAME TEXT
stub() {
	printf '#!/bin/sh\n%s\n' "$2" >"$stubs/$1"
	chmod +x "$stubs/$1"
}
lasts="sleep 66$$"
load="sleep 77$$"
is_there() {
	pgrep -f "^$1\$" >/dev/null
}
is_gone() {
	! is_there "$lasts" && ! is_there "$load"
}
stub clocktest 'exit 0'
stub switchtest 'case "$*" in *-s*) exec sleep 1 ;; esac'
stub latency 'exec sleep 1'
stub dohell "echo \"\$0 \$1\" >'$folder/ran'; exec $load"
if expect "a load of several words of the shell" 0 "$stubs/xeno-test" -l "cd / && $load" -T 1 && is_gone; then
	ok "$name"
else
	not_ok "$name"
fi
if expect "dohell, wherever it is" 0 "$stubs/xeno-test" -T 1 && [ "$(cat "$folder/ran")" = "$stubs/dohell 604800" ] && is_gone; then
	ok "$name"
else
	not_ok "$name"
fi
for wrong in 'no-such-load' 'cd /no-such-folder && sleep 9' 'exit 0'; do
	if expect "nothing is measured without the load $wrong" 1 "$stubs/xeno-test" -l "$wrong" -T 1 && [ "$(wc -l <"$folder/err")" -eq 1 ] &&
		grep -q '^xeno-test: the load ended before switchtest, ' "$folder/err"; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
stub latency "exec $lasts"
for long in -T60 '-T 60' '-qT60'; do
	# Words of it are arguments.
	if expect "the load lasts as long as latency $long" 1 timeout 60 "$stubs/xeno-test" -l 'sleep 3; echo why >&2; exit 3' $long &&
		[ "$(cat "$folder/err")" = "xeno-test: the load ended before latency, with status 3: why" ] && is_gone; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
for signal in TERM HUP; do
	name="nothing is left after $signal"
	"$stubs/xeno-test" -l "$load" >"$folder/out" 2>"$folder/err" &
	test=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		is_there "$lasts" && break
		sleep 1
	done
	is_there "$lasts" && is_there "$load"
	began=$?
	kill -"$signal" $test
	wait $test
	status=$?
	if [ $began -eq 0 ] && [ $status -eq 1 ] && is_gone; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
stub latency 'exit 5'
if expect "latency that fails ends the load" 1 timeout 60 "$stubs/xeno-test" -l "$load" -p x && [ "$(wc -l <"$folder/err")" -eq 1 ] &&
	grep -q '^xeno-test: latency failed with status 5$' "$folder/err" && is_gone; then
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
# A load that no other run of it has: told by its folder.
"$tools/dohell" -m "$folder" 4444 >/dev/null 2>&1 &
dohell=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 1
	before=$(pgrep -fc "of='?$folder/dohell")
	[ "$before" -eq 0 ] || break
done
kill -KILL "$dohell"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	pgrep -f "while kill.*of='?$folder/dohell" >/dev/null || break
	sleep 1
done
name="loads of one that was killed end too"
if [ "$before" -ge 1 ] && ! pgrep -f "while kill.*of='?$folder/dohell" >/dev/null; then
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
