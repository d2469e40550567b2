/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kinds of callers: see caller.h. */
#include "runtime/caller.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define NAP_NS 100000u

/* Tasks that run handlers, one for each skin that has such a task. */
#define SERVERS 8u
static _Atomic tact_task_t server[SERVERS];
_Atomic uint32_t runtime_task_handlers;

static pthread_t main_thread;
static tact_task_t main_task; /* 0: a plain thread */
static const char *main_name;

/* Libraries are initialised by the thread that will run main(). In a fork's child, main() is the
 * thread that forked. */
static void remember_main(void)
{
	main_thread = pthread_self();
}

__attribute__((constructor)) static void load(void)
{
	remember_main();
	(void)pthread_atfork(NULL, NULL, remember_main);
}

static bool runs_handlers(tact_task_t task)
{
	for (uint32_t i = 0; i < SERVERS; i++) {
		const tact_task_t there = atomic_load_explicit(&server[i], memory_order_relaxed);

		if (!there.id)
			return false;
		if (there.id == task.id)
			return true;
	}
	return false;
}

void runtime_runs_handlers(tact_task_t task)
{
	tact_task_t none = {0};

	for (uint32_t i = 0; i < SERVERS; i++, none.id = 0)
		if (atomic_compare_exchange_strong(&server[i], &none, task))
			return;
}

void runtime_handler_begins(void)
{
	atomic_fetch_add_explicit(&runtime_task_handlers, 1, memory_order_relaxed);
}

void runtime_handler_ends(void)
{
	atomic_fetch_sub_explicit(&runtime_task_handlers, 1, memory_order_relaxed);
}

bool runtime_is_handler(tact_task_t self)
{
	return self.id ? runs_handlers(self) : tact_mode() == TACT_MODE_HANDLER;
}

bool runtime_is_main_thread(void)
{
	return pthread_equal(pthread_self(), main_thread);
}

bool runtime_is_waiter(tact_task_t self)
{
	return self.id ? !runs_handlers(self)
		       : tact_mode() != TACT_MODE_HANDLER && runtime_is_main_thread();
}

bool runtime_is_main(void)
{
	return main_task.id && tact_task_self().id == main_task.id;
}

void runtime_attach_main(const char *name)
{
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	struct tact_task_attr attr = {.name = name, .priority = TACT_PRIORITY_MIN, .sched = &weak};

	main_name = name;
	if (!tact_task_attach(&attr, &main_task))
		(void)tact_task_relax();
}

int runtime_detach_main(void)
{
	int error = runtime_is_main() ? tact_task_detach() : 0;

	if (!error && runtime_is_main_thread())
		main_task.id = 0;
	return error;
}

int runtime_attach(const struct tact_task_attr *attr, tact_task_t *task)
{
	bool was_main = runtime_is_main();
	int error = runtime_detach_main();

	if (error)
		return error;
	error = tact_task_attach(attr, task);
	/* No memory for the stack. */
	if (error == -TACT_ENOSPC)
		error = -TACT_ENOMEM;
	if (was_main && error)
		runtime_attach_main(main_name);
	return error;
}

int runtime_nap(void)
{
	if (tact_task_self().id)
		return tact_task_sleep(NAP_NS);
	usleep(NAP_NS / 1000);
	return 0;
}

tact_sem_t runtime_never(void)
{
	static _Atomic tact_sem_t never;
	tact_sem_t made = atomic_load(&never);
	tact_sem_t none = {0};

	if (made.id || tact_sem_create(NULL, 0, 1, TACT_FIFO, &made))
		return made;
	if (atomic_compare_exchange_strong(&never, &none, made))
		return made;
	(void)tact_sem_delete(made);
	return none;
}
