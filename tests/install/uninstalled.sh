#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A program is built against the build tree, nothing installed: what the pkg-config files there name exists. Prints TAP.
# usage: uninstalled.sh BUILD
set -u

build=$1
here=$(dirname -- "$(readlink -f -- "$0")")
# shellcheck source=tests/install/stranger.sh
. "$here/stranger.sh"

PKG_CONFIG_PATH=$build/meson-uninstalled
export PKG_CONFIG_PATH

# Each folder and file that the flags of package $1 name.
names_what_exists() {
	flags=$(pkg-config --cflags --libs "$1") || return 1
	named=0
	for flag in $flags; do
		case $flag in
		-I* | -L*) path=${flag#-?} ;;
		-Wl,-rpath,*) path=${flag#-Wl,-rpath,} ;;
		-Wl,@*) path=${flag#-Wl,@} ;;
		*) continue ;;
		esac
		named=$((named + 1))
		[ -e "$path" ] || { echo "$1: $flag: there is no such path"; return 1; }
	done
	[ "$named" -gt 0 ] || { echo "$1 names no folder: $flags"; return 1; }
}

sim_builds_and_runs() {
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Werror -o "$root/program" "$here/program.c" $(pkg-config --cflags --libs tactus-sim) &&
		prints "count 1" "$root/program"
}

sim_is_steered() {
	printf '#include <hal/sim.h>\nint main(void) { return 0; }\n' >"$root/steer.c"
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Werror -o "$root/steer" "$root/steer.c" $(pkg-config --cflags --libs tactus-sim) && "$root/steer"
}

# links PACKAGE SOURCE
links() {
	# shellcheck disable=SC2046 # flags are words
	cc -o "$root/linked" "$2" $(pkg-config --cflags --libs "$1")
}

# make_rtai [OPTION]: a Makefile that asks rtai-config, of the build tree.
make_rtai() {
	rm -rf "$root/rtai" && cp -r "$here/rtai" "$root" && cd "$root/rtai" &&
		PATH=$build/skins/rtai:$PATH make "SIM=${1-}"
}

rtai_runs_in_virtual_time() {
	make_rtai --sim && prints "10 turns" "$root/rtai/demo"
}

packages=$(cd "$PKG_CONFIG_PATH" && ls ./*-uninstalled.pc | sed 's|^\./||; s|-uninstalled\.pc$||')
echo "1..$(($(echo "$packages" | wc -w) + 8))"
for package in $packages; do
	check "names_of_${package}_exist" names_what_exists "$package"
done
check sim_builds_and_runs sim_builds_and_runs
check sim_is_steered sim_is_steered
check tactus_links links tactus "$here/program.c"
check alchemy_links links tactus-alchemy "$here/alchemy/demo.c"
check alchemy_links_in_virtual_time links tactus-alchemy-sim "$here/alchemy/demo.c"
check posix_links links tactus-posix "$here/posix/demo.c"
check makefile_of_an_rtai_program_works make_rtai
check rtai_program_runs_in_virtual_time rtai_runs_in_virtual_time
exit "$failed"
