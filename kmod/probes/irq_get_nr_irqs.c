// SPDX-License-Identifier: GPL-2.0-only
// A function returns the number of interrupts (6.13).
// about: irq_get_nr_irqs
#include <linux/irq.h>

unsigned int probe(void);
unsigned int probe(void)
{
	return irq_get_nr_irqs();
}
