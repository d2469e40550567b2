# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Cases of tests of tools: for scripts to read in. A program's output is in $folder/out and $folder/err.
folder=$(mktemp -d)
begun=''
number=0
trap at_exit EXIT
trap 'exit 143' TERM INT HUP

# end_at_exit PID...: whoever is left of these when the script ends is killed
end_at_exit() {
	begun="$begun $*"
}

at_exit() {
	for pid in $begun; do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$folder"
}

ok() {
	number=$((number + 1))
	echo "ok $number - $1"
}

not_ok() {
	number=$((number + 1))
	echo "not ok $number - $1"
	sed 's/^/# /' "$folder/out" "$folder/err"
}

# expect NAME STATUS COMMAND...: run, and compare the status
expect() {
	name=$1
	wanted=$2
	shift 2
	status=0
	"$@" >"$folder/out" 2>"$folder/err" || status=$?
	[ "$status" -eq "$wanted" ] || echo "status $status, expected $wanted" >>"$folder/err"
	[ "$status" -eq "$wanted" ]
}

# has COUNT PATTERN: so many lines of the output are like this
has() {
	[ "$(grep -c -E "$2" "$folder/out")" -eq "$1" ]
}

# expect_by SIGNAL PATTERN NAME STATUS COMMAND...: the same, of a program that is sent the signal when it has gone on for a
# moment after a line like the pattern
expect_by() {
	signal=$1
	pattern=$2
	name=$3
	wanted=$4
	shift 4
	true >"$folder/out"
	# What begins in the background leaves some signals aside by default.
	env --default-signal="$signal" "$@" >"$folder/out" 2>"$folder/err" &
	told=$!
	end_at_exit $told
	until grep -q -E "$pattern" "$folder/out" || ! kill -0 $told 2>/dev/null; do
		sleep 0.05
	done
	sleep 0.3
	kill -s "$signal" $told
	status=0
	wait $told || status=$?
	[ "$status" -eq "$wanted" ] || echo "status $status, expected $wanted" >>"$folder/err"
	[ "$status" -eq "$wanted" ]
}

# beside COMMAND...: one of the tools begins, and measures until it is ended: $other, $folder/other
beside() {
	true >"$folder/other"
	"$@" >"$folder/other" 2>&1 &
	other=$!
	end_at_exit $other
	until grep -q '^RTD' "$folder/other" || ! kill -0 $other 2>/dev/null; do
		sleep 0.1
	done
}
