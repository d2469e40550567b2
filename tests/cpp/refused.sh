#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What a compiler has to refuse, or to warn of, in programs in C++. Each case is a line of a function; beside it is a
# line that differs in what is wrong alone, and all of these have to compile. Prints TAP. usage: refused.sh COMPILER INCLUDES...
set -u

compiler=$1
shift
includes=$*
here=$(dirname -- "$(readlink -f -- "$0")")
# shellcheck source=tests/install/stranger.sh
. "$here/../install/stranger.sh"

# compiles STANDARD BODY
compiles() {
	cat >"$root/case.cpp" <<-END
		#include <tactus/tactus.hpp>
		#include <string>
		using namespace std::chrono_literals;
		struct large { long a, b, c; };
		void take(tactus::queue_ref<int>);
		void take(tactus::queue_ref<int>) {}
		void test(tactus::semaphore &sem, tactus::queue<int> &queue, tact_sem_t c, large &big);
		void test(tactus::semaphore &sem, tactus::queue<int> &queue, tact_sem_t c, large &big)
		{
			(void)sem, (void)queue, (void)c, (void)big;
			$2
		}
	END
	# shellcheck disable=SC2086 # flags are words
	$compiler -std="$1" -Wall -Wextra -Werror $includes -fsyntax-only "$root/case.cpp" >"$root/words" 2>&1
}

right=
# refuses WORDS WRONG RIGHT: the compiler says one of the words.
refuses() {
	right="$right
{ $3 }"
	! compiles c++20 "$2" || { echo "accepted: $2"; return 1; }
	grep -qE "$1" "$root/words" || { echo "expected: $1, actual:"; cat "$root/words"; return 1; }
}

what_is_right_is_accepted() {
	[ -n "$right" ] && compiles c++20 "$right" || { cat "$root/words"; return 1; }
}

older_standards_are_refused() {
	! compiles c++17 '' || return 1
	grep -q 'needs C++20' "$root/words"
}

none='no matching|could not convert|no viable|cannot convert|no known conversion|conversion from'
deleted='deleted'

echo 1..18
check semaphore_is_no_queue refuses "$none" 'take(sem);' 'take(queue);'
check handle_in_c_of_a_semaphore_is_no_queue refuses "$none" 'take(tactus::queue_ref<int>(c));' 'take(tactus::queue_ref<int>(queue.c()));'
check messages_have_one_type refuses "$none" '(void)queue.send(std::string());' '(void)queue.send(5);'
check result_is_not_discarded refuses 'nodiscard' 'sem.wait(1ms);' '(void)sem.wait(1ms);'
check result_with_a_value_is_not_discarded refuses 'nodiscard' 'queue.receive();' '(void)queue.receive();'
check created_object_is_not_discarded refuses 'nodiscard' 'tactus::semaphore::create();' '(void)tactus::semaphore::create();'
check owner_is_not_copied refuses "$deleted" 'tactus::semaphore two(sem);' 'tactus::semaphore two(std::move(sem));'
check view_is_no_owner refuses "$none|no match for|no viable overloaded" 'sem = tactus::semaphore_ref(sem);' 'sem = tactus::semaphore(sem.c());'
check other_clock_is_refused refuses "$deleted" '(void)sem.wait(std::chrono::steady_clock::now());' '(void)sem.wait(tactus::clock::now());'
check number_is_no_duration refuses "$none" '(void)sem.wait(5);' '(void)sem.wait(5ms);'
check large_temporary_is_no_callable refuses 'give it a name' \
	'(void)tactus::task::spawn({}, [big] { (void)big; });' '(void)tactus::task::spawn({}, [&big] { (void)big; });'
check result_of_a_callable_is_not_lost refuses 'would be lost' \
	'(void)tactus::task::spawn({}, [&sem] { return sem.post(); });' '(void)tactus::task::spawn({}, [&sem] { (void)sem.post(); });'
check message_is_trivially_copyable refuses 'static assertion failed|static_assert failed' \
	'(void)tactus::queue<std::string>::create({});' '(void)tactus::queue<large>::create({});'
check mailbox_has_64_bits refuses 'static assertion failed|static_assert failed' \
	'(void)tactus::mailbox<large>::create();' '(void)tactus::mailbox<long>::create();'
check classes_have_their_own_parameters refuses 'quantum' \
	'(void)tactus::sched::edf{.quantum = 1ms};' '(void)tactus::sched::edf{.deadline = 1ms};'
check error_is_no_number refuses "$none|cannot initialize" 'int n = sem.post().error(); (void)n;' 'tactus::error n = sem.post().error(); (void)n;'
check what_is_right_is_accepted what_is_right_is_accepted
check older_standards_are_refused older_standards_are_refused
exit "$failed"
