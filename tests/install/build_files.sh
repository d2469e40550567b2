#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Build files of Xenomai's programs: what they ask, name and link is there, in an installed tree. Prints TAP. usage: build_files.sh BUILD PREFIX
set -u

build=$1
here=$(dirname -- "$(readlink -f -- "$0")")
# shellcheck source=tests/install/stranger.sh
. "$here/stranger.sh"

# tells EXPECTED WORDS...
tells() {
	wanted=$1
	shift
	said=$(xeno-config "$@") || return 1
	[ "$said" = "$wanted" ] || { echo "$*: expected: $wanted, actual: $said"; return 1; }
}

answers_are_those_of_a_release() {
	xeno-config --version | grep -qx '3\.3\.[0-9]*' || { echo "--version: $(xeno-config --version)"; return 1; }
	tells cobalt --core && tells x86 --arch &&
		tells "$(xeno-config --posix --cflags)" --skin=rtdm --cflags &&
		tells "$(xeno-config --alchemy --compat --cflags)" --skin native --cflags &&
		tells "$(xeno-config --posix --ldflags)" --rtdm-ldflags
}

order_does_not_matter() {
	tells "$(xeno-config --no-auto-init --skin=posix --ldflags)" --ldflags --no-auto-init --no-mode-check --skin=posix &&
		tells "$(xeno-config --cflags --alchemy)" --alchemy --cflags
}

kernel_flags_are_refused() {
	! xeno-config --skin=rtdm --kcflags 2>"$root/complaints" || { echo "flags for kernel modules are told"; return 1; }
	grep -q 'a driver is a program' "$root/complaints"
}

posix_is_wrapped_on_request_only() {
	echo 'int main(void) { return sched_yield(); }' >"$root/yield.c"
	for skin in posix cobalt; do
		# shellcheck disable=SC2046 # flags are words
		cc -include sched.h -o "$root/yield-$skin" "$root/yield.c" $(xeno-config --skin=$skin --cflags --ldflags) || return 1
	done
	nm "$root/yield-posix" | grep -q __wrap_sched_yield || { echo "posix: not wrapped"; return 1; }
	! nm "$root/yield-cobalt" | grep __wrap_sched_yield
}

makefile_for_xenomai_2_works() {
	make -f Makefile.old XENO="$xenomai" && prints "mine 3 turns of 1" ./old mine
}

makefile_with_paths_works() {
	make -f Makefile.paths XENO="$xenomai" && prints "mine 3 turns of 10" ./paths --alchemy-clock-resolution=10 mine
}

# The program's command line is its own then.
library_takes_the_options() {
	echo 'int nothing(void); int nothing(void) { return 0; }' >part.c
	# shellcheck disable=SC2046 # flags are words
	cc -shared -fPIC -o libpart.so part.c $(xeno-config --alchemy --cflags --ldflags --auto-init-solib) &&
		cc -o with-part demo.c $(xeno-config --alchemy --cflags --ldflags --no-auto-init) ./libpart.so &&
		prints "--alchemy-clock-resolution=10 3 turns of 10" ./with-part --alchemy-clock-resolution=10
}

both_skins_serve_one_program() {
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Wextra -Werror -o both mixed.c $(xeno-config --posix --alchemy --cflags --ldflags) &&
		prints "5 turns, 5 bytes, 0" ./both
}

# By the native interface alone, and both.
names_of_xenomai_3_are_there() {
	for skins in --alchemy "--posix --alchemy"; do
		# shellcheck disable=SC2046,SC2086 # flags are words
		cc -Wall -Wextra -Werror -o names names.c $(xeno-config $skins --cflags --ldflags) &&
			prints "No such file or directory, 3, 2 ticks" ./names || return 1
	done
	c++ -x c++ -fsyntax-only -Wall -Werror names.c $(xeno-config --posix --alchemy --cflags)
}

cmake_finds_it() {
	command -v cmake >/dev/null || { echo "cmake is not installed"; return 77; }
	cmake -S . -B cmake -DXENOMAI_ROOT="$xenomai" && cmake --build cmake && prints "5 turns, 5 bytes, 0" cmake/mixed
}

# By paths alone: $root/include, and two libraries in $root/lib.
native_headers_are_found_below_include() {
	c++ -Wall -Werror -D_GNU_SOURCE -I"$xenomai/include" -o found found.cpp "$xenomai/lib/libxenomai.so" "$xenomai/lib/libnative.so" \
		-Wl,-rpath,"$xenomai/lib" -Wl,-rpath-link,"$xenomai/lib" -L"$xenomai/lib" && prints "locked 1 times" ./found
}

# Its calls are Linux's, but for what no file of Linux is.
native_program_opens_the_file_of_a_label() {
	for more in "" "-O2 -D_FORTIFY_SOURCE=2" -D_FILE_OFFSET_BITS=64; do
		# shellcheck disable=SC2046,SC2086 # flags are words
		cc -Wall -Wextra -Werror $more -o label label.c $(xeno-config --alchemy --cflags --ldflags) && rm -f label.txt && {
			prints there ./label || [ "$said" = "no files here" ]
		} || return 1
	done
	[ "$said" = there ] || { echo "no /dev/fuse"; return 77; }
}

echo 1..13
check meson_installs env DESTDIR="$root" meson install -C "$build" --no-rebuild
PATH=$root$2/bin:$PATH
xenomai=$(xeno-config --prefix)
cp -r "$here/xenomai" "$here/alchemy/demo.c" "$root" && mv "$root/demo.c" "$root/xenomai" && cd "$root/xenomai" || exit 1
check answers_are_those_of_a_release answers_are_those_of_a_release
check order_does_not_matter order_does_not_matter
check kernel_flags_are_refused kernel_flags_are_refused
check posix_is_wrapped_on_request_only posix_is_wrapped_on_request_only
check makefile_for_xenomai_2_works makefile_for_xenomai_2_works
check makefile_with_paths_works makefile_with_paths_works
check library_takes_the_options library_takes_the_options
check both_skins_serve_one_program both_skins_serve_one_program
check names_of_xenomai_3_are_there names_of_xenomai_3_are_there
check native_headers_are_found_below_include native_headers_are_found_below_include
check native_program_opens_the_file_of_a_label native_program_opens_the_file_of_a_label
check cmake_finds_it cmake_finds_it
exit "$failed"
