#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Every example in C is also a program in C++20, beside the header of C++. Prints TAP.
# usage: examples.sh COMPILER INCLUDES EXAMPLES...
set -u

compiler=$1
includes=$2
shift 2
here=$(dirname -- "$(readlink -f -- "$0")")
# shellcheck source=tests/install/stranger.sh
. "$here/../install/stranger.sh"

compiles() {
	# shellcheck disable=SC2086 # flags are words
	$compiler -x c++ -std=gnu++20 -Wall -Werror $includes -include tactus/tactus.hpp -fsyntax-only "$1"
}

echo "1..$#"
for example; do
	name=$(basename "$example" .c)
	check "${name}_is_a_program_in_cpp" compiles "$example"
done
[ "$number" -gt 20 ] || failed=1
exit "$failed"
