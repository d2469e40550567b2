/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the side of modules share: their main() is init_module(), and tasks do the
 * rest. */
#ifndef TESTS_SKINS_RTAI_MODULE_TEST_H
#define TESTS_SKINS_RTAI_MODULE_TEST_H

#include <rtai_sched.h>

#include "skin_check.h"

#define MS(n)   ((RTIME)(n)*1000000)
#define STACK   4096
#define GARBAGE ((void *)(uintptr_t)0x1234)

/* Run a function as a task of a priority, until it returns. */
void run_task(int priority, void (*body)(long data), long data);
/* Let others run until it is so. */
#define UNTIL(condition)                               \
	do {                                           \
		for (int i_ = 0; !(condition); i_++) { \
			expect_true(i_ < 10000);       \
			rt_sleep(MS(1));               \
		}                                      \
	} while (0)

#endif
