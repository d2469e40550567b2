/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names that programs of Xenomai 2 use for interrupts. A Linux program has no interrupts: each
 * service returns -ENOSYS, as in a Xenomai 2 that was built without native interrupts. Drivers are
 * programs of the native API of Tactus (tactus/device.h).
 */
#ifndef TRANK_NATIVE_INTR_H
#define TRANK_NATIVE_INTR_H

#include <alchemy/timer.h>

#define I_NOAUTOENA 0x1
#define I_PROPAGATE 0x2

typedef struct rt_intr {
	uintptr_t handle;
} RT_INTR;

typedef struct rt_intr_info {
	unsigned int irq;
	unsigned long hits;
	char name[XNOBJECT_NAME_LEN];
} RT_INTR_INFO;

static inline int rt_intr_create(RT_INTR *intr, const char *name, unsigned int irq, int mode)
{
	(void)intr;
	(void)name;
	(void)irq;
	(void)mode;
	return -ENOSYS;
}

static inline int rt_intr_bind(RT_INTR *intr, const char *name, RTIME timeout)
{
	(void)intr;
	(void)name;
	(void)timeout;
	return -ENOSYS;
}

static inline int rt_intr_wait(RT_INTR *intr, RTIME timeout)
{
	(void)intr;
	(void)timeout;
	return -ENOSYS;
}

static inline int rt_intr_inquire(RT_INTR *intr, RT_INTR_INFO *info)
{
	(void)intr;
	(void)info;
	return -ENOSYS;
}

static inline int rt_intr_enable(RT_INTR *intr)
{
	(void)intr;
	return -ENOSYS;
}

#define rt_intr_disable rt_intr_enable
#define rt_intr_delete  rt_intr_enable
#define rt_intr_unbind  rt_intr_enable

#endif
