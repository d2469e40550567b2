#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# load.sh PART INTENSITY CPUS FOLDER: runs one part of a load, until it is killed with its whole
# session; its files are in FOLDER. load.sh --parts LOAD: prints the parts of a load, one per line.
#
# INTENSITY is the number of workers per CPU (hackbench: groups of 10 tasks altogether).
set -u

case ${1-} in
--parts)
	case ${2-} in
	idle) ;;
	cpu | io | hackbench | memory) echo "$2" ;;
	net) printf '%s\n' net large ;;
	dohell) printf '%s\n' cpu io net large hackbench memory walk ;;
	*) exit 2 ;;
	esac
	exit 0
	;;
esac

part=$1 intensity=$2 cpus=$3 folder=$4
workers=$((intensity * cpus))
cd "$folder" || exit 2

need() {
	command -v "$1" >/dev/null || {
		echo "the load $part needs $1: install it"
		exit 1
	}
}

# each FUNCTION: runs it once per worker, for ever; ends when one of them ends.
each() {
	number=1
	while [ $number -lt "$workers" ]; do
		$1 $number &
		number=$((number + 1))
	done
	$1 0
}

spin() {
	while :; do :; done
}

# Big blocks through the page cache to the medium, then a tree of files that is made and removed.
write_files() {
	while :; do
		dd if=/dev/zero of="file$1" bs=1M count=16 conv=fsync || exit 1
		dd if="file$1" of=/dev/null bs=64k || exit 1
		mkdir -p "tree$1/a/b/c"
		for name in 1 2 3 4 5 6 7 8; do
			cp "$0" "tree$1/a/b/c/$name" || exit 1
		done
		rm -r "tree$1" "file$1"
	done 2>last
	cat last
}

# As fast as replies come (root may flood; the applet of busybox has another option for it).
flood() {
	if ping -f -c 1 127.0.0.1 >/dev/null 2>&1; then
		exec ping -f -q 127.0.0.1 >/dev/null
	fi
	if ping -A -c 1 127.0.0.1 >/dev/null 2>&1; then
		exec ping -A -q 127.0.0.1 >/dev/null
	fi
	exec ping -i 0.002 -q 127.0.0.1 >/dev/null
}

# The longest packets: Linux handles one of them, with all of its fragments, in one softirq. Four a
# second, so that they are the longest latencies, but fewer than one in a hundred.
large() {
	exec ping -i 0.25 -q -s 65000 127.0.0.1 >/dev/null
}

walk() {
	while :; do
		find / -xdev -type f -size -2 >/dev/null 2>&1
		ls -lR /proc/self /sys/kernel /sys/devices >/dev/null 2>&1
	done
}

case $part in
cpu)
	if command -v stress-ng >/dev/null; then
		exec stress-ng --quiet --temp-path . --cpu "$workers" --timeout 0
	fi
	each spin
	;;
io) each write_files ;;
net | large)
	need ping
	# In its own network namespace if that is allowed, so that nothing else sees the flood. The
	# packet size is Ethernet's, so that a packet has as many fragments as on a wire.
	if [ -z "${LAB_OWN_NETWORK-}" ]; then
		export LAB_OWN_NETWORK=yes
		loopback='ip link set lo mtu 1500 && ip link set lo up'
		for how in -n -rn; do
			if unshare $how sh -c "$loopback" 2>/dev/null; then
				exec unshare $how sh -c "$loopback; exec sh \"\$0\" \"\$@\"" "$0" "$@"
			fi
		done
	fi
	case $part in
	net) each flood ;;
	large) each large ;;
	esac
	;;
hackbench)
	need hackbench
	exec hackbench -g "$intensity" -f 5 -l 1000000000 >/dev/null
	;;
memory)
	need stress-ng
	# Dirty and check pages, thrash caches, change address spaces that other CPUs use.
	exec stress-ng --quiet --temp-path . --timeout 0 --vm "$workers" --vm-bytes 32m \
		--cache "$workers" --tlb-shootdown "$workers"
	;;
walk)
	need find
	each walk
	;;
*)
	echo "there is no part $part"
	exit 2
	;;
esac
