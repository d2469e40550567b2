// SPDX-License-Identifier: GPL-2.0-only
// Linux before 6.5 gives up CPU 0, and wakes it by an NMI.
// about: cond_wakeup_cpu0
#include <linux/smp.h>

void probe(void);
void probe(void)
{
	cond_wakeup_cpu0();
}
