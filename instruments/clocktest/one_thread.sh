#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# If the second thread cannot be made, the first one is not left behind.
# usage: one_thread.sh PROGRAM ONE: the library one_thread.c
set -u

echo 1..1
said=$(LD_PRELOAD=$2 timeout 60 "$1" --seconds 1 2>&1 >/dev/null)
status=$?
if [ $status -eq 1 ] && echo "$said" | grep -q ': no thread on CPU ' && echo "$said" | grep -qx 'made 1 joined 1'; then
	echo "ok 1 - no second thread"
else
	echo "not ok 1 - no second thread"
	echo "$said" | sed "s/^/# status $status: /"
fi
