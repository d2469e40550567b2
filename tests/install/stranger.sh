# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
#
# For the scripts beside it, which use an installed tree as a stranger would: an empty folder, $root, that goes with the
# script, and cases in TAP; a script ends by `exit "$failed"`.

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
number=0
# shellcheck disable=SC2034 # the script ends by it
failed=0

# check NAME COMMAND...: a case; what it printed is shown when it fails. 77: skipped, with its last line.
check() {
	number=$((number + 1))
	name=$1
	shift
	status=0
	"$@" >"$root/said" 2>&1 || status=$?
	case $status in
	0) echo "ok $number - $name" ;;
	77) echo "ok $number - $name # SKIP $(tail -n 1 "$root/said")" ;;
	*)
		echo "not ok $number - $name"
		sed 's/^/# /' "$root/said"
		failed=1
		;;
	esac
}

# prints EXPECTED PROGRAM WORDS...: waits while another program has the CPUs.
prints() {
	wanted=$1
	shift
	turn=0
	while ! said=$(timeout -k 2 30 "$@" 2>"$root/complaints"); do
		turn=$((turn + 1))
		grep -q leased "$root/complaints" && [ "$turn" -lt 60 ] && sleep 1 && continue
		break
	done
	[ "$said" = "$wanted" ] && return
	echo "expected: $wanted, actual: $said"
	cat "$root/complaints"
	return 1
}
