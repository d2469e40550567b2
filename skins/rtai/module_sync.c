/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The objects of modules: what a program makes by a name of the registry, in a structure of the
 * module. Each call is the program's, and the structure then stands for the object.
 */
#include <rtai_bits.h>
#include <rtai_mbx.h>
#include <rtai_rwl.h>
#include <rtai_sem.h>
#include <rtai_spl.h>
#include <rtai_tasklets.h>
#include <rtai_tbx.h>

#include "module_internal.h"
#include "rtai_module_host.h"
#include "rtai_module_calls.h"

#define HERE __builtin_return_address(0)

void rtai_module_sem_init(SEM *sem, int value, int type)
{
	if (rtai_adopt(sem, rt_typed_sem_init(0, value, type), HERE))
		rtai_tell_failed("rt_typed_sem_init");
}

int rtai_module_sem_delete(SEM *sem)
{
	return rt_sem_delete(sem) < 0 ? RTE_OBJINV : 0;
}

/* The calls by names take letters. */
static const char *letters(unsigned long number, char text[8])
{
	num2nam(number, text);
	return text;
}

SEM *rtai_module_named_sem_init(unsigned long name, int value, int type, unsigned long *handle)
{
	char text[8];

	(void)handle;
	return rt_typed_named_sem_init(letters(name, text), value, type);
}

int rtai_module_mbx_init(MBX *mbx, int size, int qtype)
{
	if (size < 1)
		return -EINVAL;
	return rtai_adopt(mbx, rt_typed_mbx_init(0, size, qtype), HERE) ? -ENOMEM : 0;
}

int rtai_module_mbx_delete(MBX *mbx)
{
	return rt_mbx_delete(mbx) < 0 ? -EINVAL : 0;
}

MBX *rtai_module_named_mbx_init(unsigned long name, int size, int qtype, unsigned long *handle)
{
	char text[8];

	(void)handle;
	return rt_typed_named_mbx_init(letters(name, text), size, qtype);
}

void rtai_module_bits_init(BITS *bits, unsigned long mask)
{
	if (rtai_adopt(bits, rt_bits_init(0, mask), HERE))
		rtai_tell_failed("rt_bits_init");
	else
		(void)rt_bits_signal(bits, NOP_BITS, 0);
}

int rtai_module_bits_delete(BITS *bits)
{
	return rt_bits_delete(bits) < 0 ? RTE_OBJINV : 0;
}

int rtai_module_spl_init(SPL *spl)
{
	return rtai_adopt(spl, rt_spl_init(0), HERE) ? -ENOMEM : 0;
}

int rtai_module_spl_delete(SPL *spl)
{
	return rt_spl_delete(spl) < 0 ? RTE_OBJINV : 0;
}

int rtai_module_rwl_init(RWL *rwl, int type)
{
	return rtai_adopt(rwl, rt_typed_rwl_init(0, type), HERE) ? -ENOMEM : 0;
}

int rtai_module_rwl_delete(RWL *rwl)
{
	return rt_rwl_delete(rwl) < 0 ? RTE_OBJINV : 0;
}

int rtai_module_msgq_init(RT_MSGQ *msgq, int nmsg, int msg_size)
{
	return rtai_adopt(msgq, rt_msgq_init(0, nmsg, msg_size), HERE) ? -ENOMEM : 0;
}

int rtai_module_msgq_delete(RT_MSGQ *msgq)
{
	return rt_msgq_delete(msgq) < 0 ? RTE_OBJINV : 0;
}

int rtai_module_tbx_init(TBX *tbx, int size, int type)
{
	return rtai_adopt(tbx, rt_tbx_init(0, size, type), HERE) ? -ENOMEM : 0;
}

static bool make_tasklet(struct rt_tasklet_struct *tasklet, const void *maker)
{
	return tasklet &&
	       (rtai_find(tasklet, RTAI_TASKLET) || !rtai_adopt(tasklet, rt_init_tasklet(), maker));
}

int rtai_module_insert_tasklet(struct rt_tasklet_struct *tasklet, int priority,
			       void (*handler)(unsigned long), unsigned long data, unsigned long id,
			       int pid)
{
	if (!make_tasklet(tasklet, HERE))
		return -EINVAL;
	return rt_insert_tasklet(tasklet, priority, handler, data, id ? id : 1, pid);
}

int rtai_module_insert_timer(struct rt_tasklet_struct *timer, int priority, RTIME firing_time,
			     RTIME period, void (*handler)(unsigned long), unsigned long data,
			     int pid)
{
	if (!make_tasklet(timer, HERE))
		return -EINVAL;
	return rt_insert_timer(timer, priority, firing_time, period, handler, data, pid);
}
