/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The checks of the tests in this folder, and their count. */
#ifndef TESTS_KMOD_CORE_CHECK_H
#define TESTS_KMOD_CORE_CHECK_H

#include <stdint.h>
#include <stdio.h>

static int failed;

static void is(uint64_t got, uint64_t wanted, const char *what)
{
	if (got == wanted)
		return;
	failed++;
	printf("%s: %llu, wanted %llu\n", what, (unsigned long long)got,
	       (unsigned long long)wanted);
}

#endif
