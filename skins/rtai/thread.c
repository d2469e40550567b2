/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads that the skin makes for the program: weak full tasks of the nucleus, which become tasks
 * of RTAI by rt_task_init(). A number that fits an int names one until it is joined.
 */
#include "rtai_task.h"

#define THREADS         1024u
#define STACK_MIN_BYTES (128u * 1024u)
/* The number of a thread: its place, and how often the place was used. */
#define PLACE_BITS 10u
#define USES       ((1u << 20) - 1)

struct thread {
	_Atomic uint32_t taken;
	uint32_t uses;
	tact_task_t task;
	void *(*fun)(void *);
	void *args;
};

static struct thread thread[THREADS];

/* A task of RTAI that has not been deleted ends with its thread. */
static void run(void *arg)
{
	const struct thread *self = arg;
	struct runtime_record *record;

	(void)self->fun(self->args);
	record = rtai_self();
	if (record)
		(void)rt_task_delete(rtai_task_pointer(record));
}

int rtai_spawn_thread(void (*entry)(void *arg), void *arg, size_t stack_bytes, tact_task_t *made)
{
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	const struct tact_task_attr attr = {
		.sched = &weak,
		.stack_bytes = stack_bytes < STACK_MIN_BYTES ? STACK_MIN_BYTES : stack_bytes,
	};
	int error = runtime_task_create(&attr, made);

	if (error)
		return error;
	error = tact_task_start(*made, entry, arg);
	if (error)
		(void)tact_task_delete(*made);
	return error;
}

static struct thread *take_place(void)
{
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t none = 0;

		if (atomic_compare_exchange_strong(&thread[i].taken, &none, 1)) {
			thread[i].uses = (thread[i].uses + 1) & USES;
			return &thread[i];
		}
	}
	return NULL;
}

static long number_of(const struct thread *made)
{
	return (long)((made->uses << PLACE_BITS) + (uint32_t)(made - thread)) + 1;
}

long rt_thread_create(void *fun, void *args, int stack_size)
{
	struct thread *made;

	if (!fun || rtai_begin())
		return 0;
	made = take_place();
	if (!made)
		return 0;
	made->fun = (void *(*)(void *))fun;
	made->args = args;
	if (rtai_spawn_thread(run, made, stack_size > 0 ? (size_t)stack_size : 0, &made->task)) {
		atomic_store(&made->taken, 0);
		return 0;
	}
	return number_of(made);
}

int rt_thread_join(long number)
{
	struct thread *joined = &thread[(uint32_t)(number - 1) % THREADS];
	int error;

	if (number <= 0 || !atomic_load(&joined->taken) || number_of(joined) != number)
		return ESRCH;
	do
		error = tact_task_join(joined->task, TACT_FOREVER);
	while (error == -TACT_EINTR || error == -TACT_ECANCELED);
	if (error == -TACT_EDEADLK)
		return EDEADLK;
	if (error == -TACT_EBUSY)
		return ESRCH;
	atomic_store(&joined->taken, 0);
	return 0;
}
