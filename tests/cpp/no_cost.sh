#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the header of C++ adds to the calls of C: no instruction where a semaphore is posted or waited for, and no
# allocation, exception or run-time type anywhere. Prints TAP. usage: no_cost.sh "CC" "CXX" INCLUDES OBJECTS...
set -u

c_compiler=$1
cxx_compiler=$2
includes=$3
shift 3
here=$(dirname -- "$(readlink -f -- "$0")")
# shellcheck source=tests/install/stranger.sh
. "$here/../install/stranger.sh"

# The same functions in both languages.
cat >"$root/in_c.c" <<'END'
#include <tactus/sem.h>
int post(const tact_sem_t *sem) { return tact_sem_post(*sem); }
int wait(const tact_sem_t *sem) { return tact_sem_wait(*sem, TACT_FOREVER); }
int try(const tact_sem_t *sem) { return tact_sem_wait(*sem, TACT_NOWAIT); }
int wait_for(const tact_sem_t *sem) { return tact_sem_wait(*sem, tact_in(TACT_MS(5))); }
int wait_with(const tact_sem_t *sem, tact_timeout_t until) { return tact_sem_wait(*sem, until); }
int broadcast(const tact_sem_t *sem) { return tact_sem_broadcast(*sem); }
unsigned waits(const tact_sem_t *sem)
{
	unsigned n = 0;

	while (tact_sem_wait(*sem, TACT_FOREVER) >= 0)
		n++;
	return n;
}
int timed_out(const tact_sem_t *sem) { return tact_sem_wait(*sem, TACT_NOWAIT) == -TACT_ETIMEDOUT; }
END
cat >"$root/in_cxx.cpp" <<'END'
#include <tactus/tactus.hpp>
using namespace std::chrono_literals;
using tactus::semaphore;
extern "C" {
int post(const semaphore *sem) { return sem->post().c(); }
int wait(const semaphore *sem) { return sem->wait().c(); }
int try_(const semaphore *sem) __asm__("try");
int try_(const semaphore *sem) { return sem->wait(tactus::no_wait).c(); }
int wait_for(const semaphore *sem) { return sem->wait(5ms).c(); }
int wait_with(const semaphore *sem, tactus::timeout until) { return sem->wait(until).c(); }
int broadcast(const semaphore *sem) { return static_cast<int>(*sem->broadcast()); }
unsigned waits(const semaphore *sem)
{
	unsigned n = 0;

	while (sem->wait())
		n++;
	return n;
}
int timed_out(const semaphore *sem) { return sem->wait(tactus::no_wait) == tactus::error::timed_out; }
}
END

# The functions of an object and the number of their instructions, without what aligns them.
instructions() {
	objdump -d --no-show-raw-insn "$1" | awk '
		/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); count[name] = 0 }
		/^ +[0-9a-f]+:/ && !/\t(nop|xchg +%ax,%ax|data16|cs nop)/ { count[name]++ }
		END { for (name in count) print name, count[name] }' | sort
}

both_compile() {
	# shellcheck disable=SC2086 # flags are words
	$c_compiler -std=c11 -O2 $includes -c "$root/in_c.c" -o "$root/in_c.o" &&
		$cxx_compiler -std=c++20 -O2 -Wall -Wextra -Werror $includes -c "$root/in_cxx.cpp" -o "$root/in_cxx.o" &&
		instructions "$root/in_c.o" >"$root/c" && instructions "$root/in_cxx.o" >"$root/cxx" || return 1
	[ "$(wc -l <"$root/c")" = 8 ] || { cat "$root/c"; return 1; }
	[ "$(wc -l <"$root/cxx")" = 8 ] || { cat "$root/cxx"; return 1; }
}

# costs_the_same FUNCTION
costs_the_same() {
	in_c=$(sed -n "s/^$1 //p" "$root/c")
	in_cxx=$(sed -n "s/^$1 //p" "$root/cxx")
	[ -n "$in_c" ] && [ "$in_cxx" -le "$in_c" ] && return
	echo "$1: expected: $in_c instructions, actual: $in_cxx"
	objdump --disassemble="$1" --no-show-raw-insn "$root/in_c.o" "$root/in_cxx.o"
	return 1
}

# Objects that use all of the header. What they may refer to is what the tests themselves use.
nothing_is_allocated() {
	[ $# -ge 4 ] || { echo "expected four objects, actual: $*"; return 1; }
	for object in "$@"; do
		nm -C --undefined-only "$object" >"$root/symbols" || return 1
		grep -q tact_ "$root/symbols" || { echo "$object calls nothing"; return 1; }
		! grep -E 'operator (new|delete)|malloc|calloc|realloc|__cxa_|typeinfo|vtable|_Unwind|__gxx' "$root/symbols" ||
			return 1
	done
}

echo 1..10
check both_compile both_compile
for function in post wait try wait_for wait_with broadcast waits timed_out; do
	check "${function}_costs_what_it_costs_in_c" costs_the_same $function
done
check nothing_is_allocated nothing_is_allocated "$@"
exit "$failed"
