#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Installs a build into an empty folder and uses it as a stranger would: pkg-config, a C and a C++ compiler, the
# gdb wrapper. Prints TAP. usage: installed.sh BUILD PREFIX LIBDIR
set -u

build=$1
prefix=$2
libdir=$prefix/$3
here=$(dirname -- "$(readlink -f -- "$0")")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
number=0
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

pc() {
	PKG_CONFIG_PATH=$root$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config "$@"
}

install_it() {
	DESTDIR=$root meson install -C "$build" --no-rebuild
}

everything_is_there() {
	for file in include/tactus/tact.h include/tactus/error.h include/tactus-sim/hal/sim.h \
		bin/tactus-gdb share/tactus/tactus_gdb.py share/tactus/abi.json \
		share/doc/tactus/examples/hello.c "$3/libtactus.so" "$3/tactus/sim/libtactus.so" \
		"$3/pkgconfig/tactus.pc" "$3/pkgconfig/tactus-sim.pc"; do
		[ -e "$root$prefix/$file" ] || { echo "$file was not installed"; return 1; }
	done
}

headers_are_the_public_ones() {
	want=$(cd "$here/../.." && { ls nucleus/include/tactus; ls abi/include/tactus; } | sort)
	have=$(ls "$root$prefix/include/tactus" | sort)
	[ "$want" = "$have" ] || { printf 'expected:\n%s\nactual:\n%s\n' "$want" "$have"; return 1; }
}

# compile COMPILER LANGUAGE PACKAGE
compile() {
	# shellcheck disable=SC2046 # flags are words
	"$1" -x "$2" -Wall -Wextra -Wno-missing-field-initializers -Werror "$here/program.c" -x none \
		-o "$root/program-$2-$3" $(pc --cflags --libs "$3")
}

# run LANGUAGE FOLDER PACKAGE
run() {
	turn=0
	while ! said=$(LD_LIBRARY_PATH=$root$2 timeout -k 2 30 "$root/program-$1-$3" 2>&1); do
		turn=$((turn + 1))
		case $said in
		*leased*) [ "$turn" -lt 60 ] && sleep 1 && continue ;;
		esac
		break
	done
	[ "$said" = "count 1" ] || { echo "expected: count 1, actual: $said"; return 1; }
}

steer() {
	cat >"$root/steer.c" <<-'END'
		#include <hal/sim.h>
		#include <tactus/tact.h>
		int main(void)
		{
			hal_sim_set_seed(7);
			return tact_start(0, 0) || tact_stop() || !hal_sim_trace_hash();
		}
	END
	# shellcheck disable=SC2046 # flags are words
	cc "$root/steer.c" -o "$root/steer" $(pc --cflags --libs tactus-sim) &&
		LD_LIBRARY_PATH=$root$libdir/tactus/sim "$root/steer"
}

# only LIBRARY PATTERN: nothing else is exported.
only() {
	nm -D --defined-only "$root$libdir/$1" >"$root/symbols" || return 1
	grep -q ' tact_start@@' "$root/symbols" || { echo "tact_start is not exported"; return 1; }
	# The version node itself is an absolute symbol.
	! grep -vE " A |$2" "$root/symbols"
}

gdb_finds_its_parts() {
	command -v gdb >/dev/null || { echo "gdb is not installed"; return 77; }
	"$root$prefix/bin/tactus-gdb" -nx -batch -ex 'tactus tasks' 2>&1 |
		grep 'no program runs and no core file is loaded'
}

echo 1..13
check meson_installs install_it
check everything_is_there everything_is_there "$@"
check headers_are_the_public_ones headers_are_the_public_ones
check c_program_builds compile cc c tactus
check cxx_program_builds compile c++ c++ tactus
check c_program_runs run c "$libdir" tactus
check cxx_program_runs run c++ "$libdir" tactus
check c_program_builds_for_virtual_time compile cc c tactus-sim
check c_program_runs_in_virtual_time run c "$libdir/tactus/sim" tactus-sim
check virtual_time_is_steered steer
check thread_library_exports_its_interface_only only libtactus.so ' tact_'
check sim_library_exports_its_interface_only only tactus/sim/libtactus.so ' (tact|hal_sim)_'
check gdb_finds_its_parts gdb_finds_its_parts
exit "$failed"
