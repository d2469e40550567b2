// SPDX-License-Identifier: GPL-2.0-only
// An interrupt may be moved while it is handled only if this flag is set (before 6.14).
// about: IRQ_MOVE_PCNTXT
#include <linux/irq.h>

void probe(void);
void probe(void)
{
	irq_set_status_flags(0, IRQ_MOVE_PCNTXT);
}
