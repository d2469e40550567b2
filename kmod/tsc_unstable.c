// SPDX-License-Identifier: GPL-2.0-only
/* Only in test builds (TACTUS_TEST_TSC_UNSTABLE=m), a separate module: its load makes Linux
 * mistrust the time-stamp counters, as when Linux finds that one goes wrong. */
#include <linux/module.h>
#include <asm/tsc.h>

static int __init tsc_unstable_start(void)
{
	mark_tsc_unstable("a test");
	return 0;
}

static void __exit tsc_unstable_end(void)
{
}

module_init(tsc_unstable_start);
module_exit(tsc_unstable_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Makes Linux mistrust the time-stamp counters");
