#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The work of several users at once. usage: multi.sh HOW_MANY
users=1
while [ "$users" -le "$1" ]; do
	/bin/sh "${0%multi.sh}work.sh" "${0%multi.sh}text" &
	users=$((users + 1))
done
wait
