/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The word of a task. The task itself uses it in place, in either mode. Other callers use it on the
 * home CPU of the handle, where the control block is found, whichever CPU the task runs on. It is
 * atomic, so that the two need not agree.
 */
#include <tactus/data.h>

#include "call/call.h"
#include "task/mode.h"
#include "task/task.h"

struct data_call {
	struct nuc_call call;
	uint64_t data;
};

static struct data_call *args_of(struct nuc_call *call)
{
	return base_container_of(call, struct data_call, call);
}

static uint64_t read(const struct nuc_task *task)
{
	return atomic_load_explicit(&task->data, memory_order_acquire);
}

static void write(struct nuc_task *task, uint64_t data)
{
	atomic_store_explicit(&task->data, data, memory_order_release);
}

/* Not inline: the usual case has no registers to save. */
static __attribute__((noinline)) uint64_t data_in_linux(void)
{
	const struct nuc_task *task = nuc_task_calling();

	return task ? read(task) : 0;
}

uint64_t tact_task_data(void)
{
	struct nuc_cpu *cpu = nuc_enter();
	uint64_t data;

	if (__builtin_expect(!cpu, 0))
		return data_in_linux();
	data = cpu->in_handler ? 0 : read(cpu->current);
	hal_leave();
	return data;
}

static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)cpu;
	write(nuc_task_of(object), args_of(call)->data);
	return 0;
}

int tact_task_set_data(tact_task_t task, uint64_t data)
{
	NUC_CALL(struct data_call, args, set_run, NUC_TYPE_TASK, task.id, NUC_CALL_CAST);

	if (tact_same(task, TACT_SELF)) {
		struct nuc_task *self = nuc_task_calling();

		if (!self)
			return -TACT_EPERM;
		write(self, data);
		return 0;
	}
	args.data = data;
	return nuc_call(&args.call);
}

static int get_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)cpu;
	args_of(call)->data = read(nuc_task_of(object));
	return 0;
}

int tact_task_get_data(tact_task_t task, uint64_t *data)
{
	NUC_CALL(struct data_call, args, get_run, NUC_TYPE_TASK, task.id, 0);
	int result = 0;

	if (tact_same(task, TACT_SELF)) {
		const struct nuc_task *self = nuc_task_calling();

		if (!self)
			return -TACT_EPERM;
		args.data = read(self);
	} else {
		result = nuc_call(&args.call);
	}
	if (!result && data)
		*data = args.data;
	return result;
}
