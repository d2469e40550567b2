#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# xeno-test's loads and ends, with tools that are made up: no time is measured, and no CPU taken.
# usage: xeno-test_ends.sh FOLDER
set -u

tools=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

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
stub switchtest 'case "$*" in *-s*) exec sleep 2 ;; esac'
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
	if expect "the load lasts as long as latency $long" 1 timeout 60 "$stubs/xeno-test" -l 'sleep 6; echo why >&2; exit 3' $long &&
		[ "$(cat "$folder/err")" = "xeno-test: the load ended before latency, with status 3: why" ] && is_gone; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
for signal in TERM HUP; do
	name="nothing is left after $signal"
	# A shell cannot trap what was ignored before it began, as nohup(1) does with HUP.
	env --default-signal="$signal" "$stubs/xeno-test" -l "$load" >"$folder/out" 2>"$folder/err" &
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
echo "1..$number"
