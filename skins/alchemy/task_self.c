/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which task is meant: the caller, the one of a descriptor, or a native one. */
#include "alchemy_task.h"

RT_TASK alchemy_task_descriptor(tact_task_t native)
{
	struct runtime_record *object = runtime_task_find(&alchemy_records, native);

	return object ? alchemy_task_of(object)->self : NO_ALCHEMY_TASK;
}

RT_TASK *rt_task_self(void)
{
	struct runtime_record *object = alchemy_task_current();

	return object ? &alchemy_task_of(object)->self : NULL;
}

int rt_task_same(RT_TASK *task1, RT_TASK *task2)
{
	return task1->handle == task2->handle;
}

int alchemy_task_find(RT_TASK *task, struct runtime_record **object)
{
	*object = task ? alchemy_find(task, ALCHEMY_TASK) : alchemy_task_current();
	if (!*object)
		return task ? -EINVAL : -EPERM;
	return atomic_load_explicit(&runtime_task_of(*object)->over, memory_order_relaxed) ? -EINVAL
											   : 0;
}

int alchemy_task_result(int result)
{
	return result == -TACT_EIDRM || result == -TACT_EBUSY ? -EINVAL : alchemy_result(result);
}
