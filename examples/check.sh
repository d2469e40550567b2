#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Runs an example and compares what it prints. usage: check.sh PROGRAM EXPECTED
# An example that finds its CPU leased to another program waits for that to end.
set -eu

said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

turn=0
while :; do
	status=0
	timeout --kill-after=2 30 "$1" >"$said/out" 2>"$said/err" || status=$?
	turn=$((turn + 1))
	if [ "$status" -eq 0 ] || [ "$turn" -ge 60 ] || ! grep -q leased "$said/err"; then
		break
	fi
	sleep 1
done
cat "$said/err" >&2
# 77 is Meson's word for a test that does not apply, and example.h's for too few CPUs.
[ "$status" -eq 0 ] || exit "$status"
diff -u "$2" "$said/out"
