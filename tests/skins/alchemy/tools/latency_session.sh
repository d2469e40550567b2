#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# latency beside another one, on one CPU of a session and without one. usage: latency_session.sh PROGRAM
set -u

latency=$1
# shellcheck source=tests/skins/alchemy/tools/cases.sh
. "$(dirname -- "$0")/cases.sh"

last=$(taskset -cp $$ | sed 's/.*[:,-] *//')

# It ends well, too.
end_other() {
	kill -INT $other
	wait $other && grep -q '^RTS' "$folder/other" || {
		cat "$folder/other" >>"$folder/err"
		return 1
	}
}

for mode in 0 1 2; do
	beside "$latency" --quiet --session="latency$$" -c "$last" -t "$mode"
	if expect "two in a session, on one CPU, -t$mode" 0 timeout 60 "$latency" --quiet --session="latency$$" -c "$last" -t "$mode" -q -T 1 &&
		has 1 '^RTS' && ! grep -v '^running quietly' "$folder/err" && end_other; then
		ok "$name"
	else
		not_ok "$name"
	fi
done
beside "$latency" -c "$last"
if expect "a CPU that another one has, too" 0 timeout 60 "$latency" -c "$last" -T 1 && has 1 '^RTS' && end_other; then
	ok "$name"
else
	not_ok "$name"
fi
beside env TACTUS_SHARE=0 "$latency" -c "$last"
if expect "a CPU that another one has alone" 2 timeout 60 "$latency" -c "$last" -T 1 && has 0 '^RT' && end_other; then
	ok "$name"
else
	not_ok "$name"
fi
echo "1..$number"
