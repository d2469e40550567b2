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
# shellcheck source=tests/install/stranger.sh
. "$here/stranger.sh"

pc() {
	PKG_CONFIG_PATH=$root$libdir/pkgconfig pkg-config "$@"
}

install_it() {
	DESTDIR=$root meson install -C "$build" --no-rebuild
}

everything_is_there() {
	for file in include/tactus/tact.h include/tactus/error.h include/tactus-sim/hal/sim.h \
		bin/tactus-gdb share/tactus/tactus_gdb.py share/tactus/abi.json \
		share/doc/tactus/examples/hello.c share/doc/tactus/examples/cpp/hello.cpp "$3/libtactus.so" "$3/tactus/sim/libtactus.so" \
		"$3/pkgconfig/tactus.pc" "$3/pkgconfig/tactus-sim.pc"; do
		[ -e "$root$prefix/$file" ] || { echo "$file was not installed"; return 1; }
	done
}

headers_are_the_public_ones() {
	want=$(cd "$here/../.." && { ls nucleus/include/tactus; ls abi/include/tactus; } | sort)
	have=$(ls "$root$prefix/include/tactus" | sort)
	[ -d "$root$prefix/include/tactus/cpp" ] || return 1
	diff -r "$here/../../nucleus/include/tactus/cpp" "$root$prefix/include/tactus/cpp" || return 1
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

# only LIBRARY PATTERN [SYMBOL]: nothing else is exported, and the symbol (tact_start) is.
only() {
	nm -D --defined-only "$root$libdir/$1" >"$root/symbols" || return 1
	grep -q " ${3:-tact_start}@@" "$root/symbols" || { echo "${3:-tact_start} is not exported"; return 1; }
	# The version node itself is an absolute symbol.
	! grep -vE " A |$2" "$root/symbols"
}

gdb_finds_its_parts() {
	command -v gdb >/dev/null || { echo "gdb is not installed"; return 77; }
	"$root$prefix/bin/tactus-gdb" -nx -batch -ex 'tactus tasks' 2>&1 |
		grep 'no program runs and no core file is loaded'
}

# What a Xenomai program finds: its Makefile asks xeno-config, and nothing else.
make_alchemy() {
	rm -rf "$root/alchemy" && cp -r "$here/alchemy" "$root" && cd "$root/alchemy" &&
		PATH=$root$prefix/bin:$PATH make
}

# run_alchemy FOLDER
run_alchemy() {
	prints "mine 3 turns of 10" env LD_LIBRARY_PATH="$root$1" "$root/alchemy/demo" \
		--alchemy-clock-resolution=10 --quiet mine
}

# The POSIX skin for sources: by tactus-config in a Makefile, and by pkg-config.
make_posix() {
	rm -rf "$root/posix" && cp -r "$here/posix" "$root" && cd "$root/posix" || return 1
	PATH=$root$prefix/bin:$PATH make || return 1
	# shellcheck disable=SC2046 # flags are words
	cc -o by-pkg-config demo.c $(pc --cflags --libs tactus-posix) -lpthread
}

run_posix() {
	for program in demo by-pkg-config; do
		prints "5 turns in primary mode" env LD_LIBRARY_PATH="$root$libdir" "$root/posix/$program" ||
			return 1
	done
}

# A program of tests for the POSIX skin; the test that it picks needs no real-time CPU.
smokey_program_builds() {
	# shellcheck disable=SC2046 # flags are words
	PATH=$root$prefix/bin:$PATH && cc -o "$root/smokey" "$here/../skins/cobalt/smokey.c" \
		$(xeno-config --skin=smokey --cflags) $(xeno-config --skin=smokey --ldflags) || return 1
	said=$(LD_LIBRARY_PATH=$root$libdir timeout -k 2 30 "$root/smokey" --quiet --run=first_one)
	[ "$said" = "first_one: OK" ] || { echo "expected: first_one: OK, actual: $said"; return 1; }
}

includes() { # a header by its name in Xenomai 2, found with these options of xeno-config
	# shellcheck disable=SC2046 # flags are words
	echo "#include <$1>" | cc -fsyntax-only -x c $(PATH=$root$prefix/bin:$PATH xeno-config "$2" "$3" --cflags) -
}

older_names_of_headers_are_found() {
	for header in alarm buffer cond event heap intr mutex pipe queue sem task timer types; do
		includes native/$header.h --skin=alchemy --compat && includes native/$header.h --skin=native --no-auto-init || return 1
	done
	for header in rtdm rtipc rtserial rttesting; do
		includes rtdm/$header.h --skin=native --no-auto-init && includes rtdm/$header.h --skin=posix --compat || return 1
	done
	includes posix/pthread.h --skin=posix --compat && includes rtdk.h --skin=alchemy --compat
}

tools_find_their_libraries() {
	for tool in alchemy/clocktest alchemy/latency alchemy/switchtest cobalt/altency; do
		"$root$prefix/libexec/tactus/$tool" --help | grep "^usage: ${tool#*/}" || return 1
	done
}

# Without LD_LIBRARY_PATH, and below another prefix than the one of the build.
programs_find_their_libraries() {
	for program in "$root$prefix"/bin/tactus-*; do # scripts have none
		! ldd "$program" 2>/dev/null | grep 'not found' || return 1
	done
	"$root$prefix/bin/tactus-bench" --help | grep '^usage: tactus-bench' || return 1
	[ "$("$root$prefix/bin/tactus-run" -- echo unmodified)" = unmodified ]
}

# autotune is the project's command tactus: on PATH, or in the folder that it was built from.
autotune_finds_its_command() {
	autotune=$root$prefix/libexec/tactus/alchemy/autotune
	[ "$(TACTUS_COMMAND=/bin/echo "$autotune" --help)" = "autotune --help" ] || return 1
	! TACTUS_COMMAND=/none/tactus "$autotune" --help 2>"$root/complaints" || return 1
	grep '^autotune: /none/tactus is not there' "$root/complaints" || return 1
	[ -x "$(sed -n "s/.*|| echo '\(.*\)').*/\1/p" "$autotune")" ]
}

xeno_config_tells_what_is_asked() {
	PATH=$root$prefix/bin:$PATH
	[ -e "$(xeno-config --prefix)/include/alchemy/task.h" ] || { echo "--prefix: $(xeno-config --prefix)"; return 1; }
	[ -x "$(xeno-config --prefix)/bin/latency" ] || { echo "--prefix: no latency in bin"; return 1; }
	[ -e "$(xeno-config --libdir)/libalchemy.so" ] || { echo "--libdir: $(xeno-config --libdir)"; return 1; }
	case $(xeno-config --skin=native --no-auto-init --ldflags) in
	*wrap=main*) echo "--no-auto-init: main() is wrapped"; return 1 ;;
	*-lalchemy*) ;;
	*) echo "--ldflags: no library"; return 1 ;;
	esac
	for wrong in --cflags --skin=none --skin=../alchemy --bogus --skin; do
		! xeno-config $wrong >"$root/out" 2>"$root/complaints" || { echo "$wrong is accepted"; return 1; }
		[ "$(wc -l <"$root/complaints")" = 1 ] || { cat "$root/complaints"; return 1; }
	done
}

# What a program of RTAI finds: its Makefile asks rtai-config, and nothing else.
make_rtai() {
	rm -rf "$root/rtai" && cp -r "$here/rtai" "$root" && cd "$root/rtai" &&
		PATH=$root$prefix/bin:$PATH make
}

run_rtai() {
	prints "10 turns" env LD_LIBRARY_PATH="$root$libdir" "$root/rtai/demo"
}

# What a module of RTAI's kernel side finds, by each of the two programs that tell flags.
module_runs() {
	PATH=$root$prefix/bin:$PATH
	! tactus-config --skin=psos --module --cflags >"$root/out" 2>"$root/complaints" || { echo "psos has modules"; return 1; }
	grep -q 'only the skin rtai' "$root/complaints" || { cat "$root/complaints"; return 1; }
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Werror $(tactus-config --skin=rtai --module --cflags) "$here/../../examples/rtai/module/oven.c" -o "$root/oven.so" \
		$(tactus-config --skin=rtai --module --libs) || return 1
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Werror $(rtai-config --module-cflags) "$here/../../examples/rtai/module/oven.c" -o "$root/oven.so" \
		$(rtai-config --module-ldflags) || return 1
	"$root$prefix/libexec/tactus/rtai/rtai-host-sim" run 200000000 "$root/oven.so" period_ms=50 >"$root/out" || { cat "$root/out"; return 1; }
	grep -q '^oven: off' "$root/out" || { cat "$root/out"; return 1; }
}

rtai_config_tells_what_is_asked() {
	PATH=$root$prefix/bin:$PATH
	[ -e "$(rtai-config --prefix)/include/rtai_lxrt.h" ] || { echo "--prefix: $(rtai-config --prefix)"; return 1; }
	[ -x "$(rtai-config --prefix)/bin/rtai-config" ] || { echo "--prefix: no rtai-config in bin"; return 1; }
	[ -e "$(rtai-config --library-dir)/librtai.so" ] || { echo "--library-dir: $(rtai-config --library-dir)"; return 1; }
	[ "$(rtai-config --cflags --ldflags)" = "$(rtai-config --lxrt-cflags --lxrt-ldflags)" ] || { echo "--cflags, --ldflags differ"; return 1; }
	rtai-config --version | grep -qx '[345]\.[0-9]*' || { echo "--version: $(rtai-config --version)"; return 1; }
	# A build file with paths, which links RTAI's own name.
	cc -I"$(rtai-config --prefix)/include" -o "$root/paths" "$here/rtai/demo.c" -L"$(rtai-config --prefix)/lib" -llxrt || return 1
	for wrong in --linux-dir --linux-version --posix-wrap --config --module-cxxflags --bogus; do
		! rtai-config $wrong >"$root/out" 2>"$root/complaints" || { echo "$wrong is accepted"; return 1; }
		[ "$(wc -l <"$root/complaints")" = 1 ] || { cat "$root/complaints"; return 1; }
	done
}

# A program with the first header of each skin that has a table and is no #error, by both of the
# header's names, built with what tactus-config tells and run in virtual time, and built with what
# pkg-config tells for each back end.
skins_are_told() {
	PATH=$root$prefix/bin:$PATH
	for file in "$root$libdir"/tactus/skins/*.flags; do
		name=$(basename -- "$file" .flags)
		header=$(cd "$root$prefix/include/tactus-skins/$name" && grep -rL --include='*.h' '^#error' . | sort | sed -n '1s|^\./||p')
		printf '#include <%s>\n#include <%s/%s>\nint main(void) { return 0; }\n' "$header" "$name" "$header" >"$root/skin.c"
		# shellcheck disable=SC2046 # flags are words
		cc -o "$root/skin" $(tactus-config --skin="$name" --cflags) "$root/skin.c" \
			-Wl,--no-as-needed $(tactus-config --skin="$name" --ldflags) || return 1
		LD_LIBRARY_PATH=$root$libdir/tactus/sim "$root/skin" || { echo "$name: the program fails"; return 1; }
		for package in "tactus-$name" "tactus-$name-sim"; do
			# shellcheck disable=SC2046 # flags are words
			cc -o "$root/skin" "$root/skin.c" $(pc --cflags --libs "$package") || { echo "$package"; return 1; }
		done
	done
}

# An example as it is installed.
cxx20_program_builds() {
	# shellcheck disable=SC2046 # flags are words
	c++ -std=c++20 -Wall -Wextra -Werror "$root$prefix/share/doc/tactus/examples/cpp/queue.cpp" \
		-o "$root/queue" $(pc --cflags --libs tactus-sim)
}

cxx20_program_runs() {
	LD_LIBRARY_PATH=$root$libdir/tactus/sim "$root/queue" >"$root/out" && diff "$here/../../examples/expected/queue.txt" "$root/out"
}

echo 1..33
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
check cxx20_program_builds cxx20_program_builds
check cxx20_program_runs cxx20_program_runs
check thread_library_exports_its_interface_only only libtactus.so ' tact_'
check sim_library_exports_its_interface_only only tactus/sim/libtactus.so ' (tact|hal_sim)_'
check gdb_finds_its_parts gdb_finds_its_parts
check older_names_of_headers_are_found older_names_of_headers_are_found
check xeno_config_tells_what_is_asked xeno_config_tells_what_is_asked
check rtai_config_tells_what_is_asked rtai_config_tells_what_is_asked
check makefile_of_an_rtai_program_works make_rtai
check rtai_program_runs run_rtai
check module_of_rtai_runs module_runs
check skins_are_told skins_are_told
check makefile_of_a_xenomai_program_works make_alchemy
check xenomai_program_runs run_alchemy "$libdir"
check makefile_of_a_posix_program_works make_posix
check posix_program_runs run_posix
check smokey_program_builds smokey_program_builds
check tools_find_their_libraries tools_find_their_libraries
check programs_find_their_libraries programs_find_their_libraries
check autotune_finds_its_command autotune_finds_its_command
check xenomai_program_runs_in_virtual_time run_alchemy "$libdir/tactus/sim"
check alchemy_exports_its_interface_only only libalchemy.so \
	' (rt_|__wrap_(__)?open(64)?(_2)?|xenomai_(init|usage)|xntrace_|(__)?traceobj_|__(assign|read)_[a-z_]+_config|__base_setup_data|__config_done|__register_setup_call|notice|panic|symerror|warning)' rt_task_create
check runtime_exports_its_interface_only only libtactus-runtime.so ' runtime_' runtime_begin
exit "$failed"
