/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interrupts: not here. */
#ifndef TACTUS_RTAI_LINUX_INTERRUPT_H
#define TACTUS_RTAI_LINUX_INTERRUPT_H

#include <linux/kernel.h>

typedef int irqreturn_t;
#define IRQ_NONE    0
#define IRQ_HANDLED 1
#define IRQF_SHARED 0x80
#define SA_SHIRQ    0x80

#define RTAI_NO_LINUX_IRQ \
	"Tactus hands no interrupts to modules: use the services of <tactus/device.h>"
int request_irq(unsigned int irq, void *handler, unsigned long flags, const char *name,
		void *device) TACTUS_RTAI_REFUSED(RTAI_NO_LINUX_IRQ);
void free_irq(unsigned int irq, void *device) TACTUS_RTAI_REFUSED(RTAI_NO_LINUX_IRQ);
void disable_irq(unsigned int irq) TACTUS_RTAI_REFUSED(RTAI_NO_LINUX_IRQ);
void enable_irq(unsigned int irq) TACTUS_RTAI_REFUSED(RTAI_NO_LINUX_IRQ);
void tasklet_schedule(void *tasklet) TACTUS_RTAI_REFUSED("use rt_request_srq()");

#endif
