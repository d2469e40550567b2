/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kinds of callers of a skin's services: a task, main(), a handler, or another thread of Linux.
 *
 * If a service in main() starts the nucleus, main() becomes the weakest task. When a call of main()
 * that starts or wakes a task returns, the task has run until it waits; and main() may own mutexes.
 * Between calls main() runs in Linux. If main() cannot be a task (in virtual time), or if the
 * nucleus was started by other means, it remains a plain thread. Context of all calls, unless
 * stated otherwise: any.
 */
#ifndef RUNTIME_CALLER_H
#define RUNTIME_CALLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/skin.h>
#include <tactus/tact.h>

/* A task of a skin that runs handlers of the program: in them, between the two other calls, it
 * counts as a handler. */
void runtime_runs_handlers(tact_task_t task);
void runtime_handler_begins(void);
void runtime_handler_ends(void);
/* How many such handlers run at this moment. */
extern _Atomic uint32_t runtime_task_handlers;

static inline bool runtime_task_handler_runs(void)
{
	return __builtin_expect(
		atomic_load_explicit(&runtime_task_handlers, memory_order_relaxed) != 0, 0);
}

/* The general case of the two functions that follow, for TACT_NONE and for any task. */
bool runtime_is_handler(tact_task_t self);
bool runtime_is_waiter(tact_task_t self);

/* Is the caller a task, and no task of this program runs a handler? One call of the nucleus answers
 * that: in a handler it gives TACT_NONE. */
static inline bool runtime_is_plain_task(tact_task_t self)
{
	return self.id && !runtime_task_handler_runs();
}

/* Is this a handler? There no service may wait, create or delete. */
static inline bool runtime_in_handler(void)
{
	const tact_task_t self = tact_task_self();

	return !runtime_is_plain_task(self) && runtime_is_handler(self);
}

/* Is the caller a task or main(), and not a handler? */
static inline bool runtime_may_wait(void)
{
	const tact_task_t self = tact_task_self();

	return runtime_is_plain_task(self) || runtime_is_waiter(self);
}

/* Is the caller the weakest task? main() is, unless it has become another one. */
bool runtime_is_main(void);

/*
 * The pattern of a waiting service: try, and if that fails, wait, if the caller may wait. A caller
 * that may not wait gets its error only if it would have to wait: the service then has
 * -TACT_EAGAIN, and *may_wait is false.
 */
static inline tact_timeout_t runtime_wait_as(tact_timeout_t timeout, bool *may_wait)
{
	*may_wait = timeout.kind == TACT_TIMEOUT_NOWAIT || runtime_may_wait();
	return *may_wait ? timeout : TACT_NOWAIT;
}

/*
 * The usual wait is that of a task, without a limit. A service makes it with RUNTIME_FOREVER and
 * does not ask who the caller is. If the nucleus returns -TACT_EPERM, the caller is no task, and
 * the service follows the pattern above.
 */
#define RUNTIME_FOREVER TACT_FOREVER_TASK
static inline bool runtime_waits_as_usual(tact_timeout_t timeout)
{
	return timeout.kind == TACT_TIMEOUT_FOREVER && !runtime_task_handler_runs();
}

/*
 * The same as a loop:
 *
 *	struct runtime_wait wait = runtime_wait(timeout);
 *
 *	do
 *		result = tact_sem_wait(sem, wait.timeout);
 *	while (runtime_wait_again(&wait, result));
 */
struct runtime_wait {
	tact_timeout_t timeout; /* for the call of the nucleus */
	bool may_wait;          /* as runtime_wait_as() tells */
	bool asked;
};

static inline struct runtime_wait runtime_wait(tact_timeout_t timeout)
{
	struct runtime_wait wait = {RUNTIME_FOREVER, true, false};

	wait.asked = !runtime_waits_as_usual(timeout);
	if (wait.asked)
		wait.timeout = runtime_wait_as(timeout, &wait.may_wait);
	return wait;
}

static inline bool runtime_wait_again(struct runtime_wait *wait, int result)
{
	if (__builtin_expect(result != -TACT_EPERM, 1) || wait->asked)
		return false;
	wait->asked = true;
	wait->timeout = runtime_wait_as(TACT_FOREVER, &wait->may_wait);
	return true;
}

/* tact_task_attach() for main(), as the weakest task. Context: linux. */
void runtime_attach_main(const char *name);
/* If the caller is main() as the weakest task, it becomes a plain thread. 0, or as
 * tact_task_detach(). Context: linux. */
int runtime_detach_main(void);
/* Is the calling thread the one that runs main()? Context: linux, task. */
bool runtime_is_main_thread(void);
/* tact_task_attach(), also for main(), which is a task already, though not one that the program
 * made. Context: linux. */
int runtime_attach(const struct tact_task_attr *attr, tact_task_t *task);

/* For main(), which has started a task: wait until the task has run until it waits, even if it was
 * in Linux meanwhile to make an object (life.h). Context: task, linux. */
void runtime_let_makers_go_first(void);

/* Wait a little, so that another thread can finish what it has begun. 0; -TACT_EINTR: the wait was
 * broken. Context: task, linux. */
int runtime_nap(void);
/* A semaphore that is never posted, for main() to sleep at; TACT_NONE: it could not be made. */
tact_sem_t runtime_never(void);

#endif
