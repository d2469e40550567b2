/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for a socket to change. A change is counted before waiters are looked for, and a waiter
 * is visible before it reads the count. So one of the two always sees the other.
 */
#include "rtipc.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

struct rtipc_changes rtipc_any;

/* They are never freed and their descriptors stay open, so that a late write reaches no other
 * file. */
static struct rtipc_watch *_Atomic watches;
static _Atomic uint32_t watching;

static void count(struct rtipc_changes *changes)
{
	atomic_fetch_add(&changes->count, 1);
	(void)posix_wait_wake(&changes->count, UINT_MAX);
	if (atomic_load(&changes->sleepers))
		posix_futex_wake(&changes->count, INT_MAX);
}

void rtipc_changed(struct rtipc_socket *socket)
{
	count(&socket->changes);
	rtipc_changed_somewhere();
}

void rtipc_changed_somewhere(void)
{
	count(&rtipc_any);
	if (!atomic_load(&watching))
		return;
	for (const struct rtipc_watch *watch = atomic_load(&watches); watch; watch = watch->next)
		if (atomic_load(&watch->used))
			(void)posix_real.syscall(SYS_write, watch->fd, &(uint64_t){1},
						 sizeof(uint64_t));
}

static void wake_up(void *sleepers)
{
	atomic_fetch_sub((_Atomic uint32_t *)sleepers, 1);
}

/* A cancellation point. */
static int futex_wait(_Atomic uint32_t *word, uint32_t seen, const struct timespec *end)
{
	int error = 0;
	int type;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	if (posix_real.syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, end, NULL,
			       FUTEX_BITSET_MATCH_ANY))
		error = errno;
	pthread_setcanceltype(type, NULL);
	return error == EAGAIN ? 0 : -error;
}

static int await_in_linux(struct rtipc_changes *changes, uint32_t seen, tact_timeout_t until)
{
	struct timespec end = posix_timespec(until.ns);
	int result;

	atomic_fetch_add(&changes->sleepers, 1);
	pthread_cleanup_push(wake_up, &changes->sleepers);
	result =
		futex_wait(&changes->count, seen, until.kind == TACT_TIMEOUT_FOREVER ? NULL : &end);
	pthread_cleanup_pop(1);
	return result;
}

/*
 * A task that serves a thread of another program is not a task of the POSIX skin. It gets a waiter
 * for the time of its wait, which tact_task_unblock() ends.
 */
static int await_for_another(struct rtipc_changes *changes, uint32_t seen, tact_timeout_t until)
{
	struct tact_task_info info = {0};
	int result = tact_task_inquire(TACT_SELF, &info);

	if (result)
		return result;
	posix_me.priority = cobalt_priority(&info);
	posix_me.task = tact_task_self();
	if (posix_waiter_take(&posix_me, info.cpu))
		return -ENOMEM;
	result = -ENOMEM;
	if (posix_wait_join(&changes->count)) {
		if (rtipc_seen(changes) == seen) {
			result = posix_wait_sleep(until, POSIX_WAIT_SIGNALS, NULL);
		} else {
			(void)posix_wait_leave();
			result = 0;
		}
	}
	posix_waiter_release(&posix_me);
	return result;
}

int rtipc_await(struct rtipc_changes *changes, uint32_t seen, tact_timeout_t until)
{
	int result;

	posix_call_begins();
	if (!posix_me.list.known && tact_task_self().id)
		return await_for_another(changes, seen, until);
	if (!posix_is_task() || !posix_wait_join(&changes->count))
		return await_in_linux(changes, seen, until);
	if (rtipc_seen(changes) != seen) {
		(void)posix_wait_leave();
		return 0;
	}
	result = posix_wait_sleep(until, POSIX_WAIT_SIGNALS | POSIX_WAIT_CANCELS, NULL);
	return result == -TACT_EINTR && posix_signals_restart() ? 0 : result;
}

tact_timeout_t rtipc_until(uint64_t ns)
{
	return ns ? tact_at(tact_time_add(tact_now(), ns)) : TACT_FOREVER;
}

/* Take one that is not used, or a new one, and mark it as used. */
static struct rtipc_watch *take(void)
{
	struct rtipc_watch *watch = atomic_load(&watches);
	int fd;

	while (watch && atomic_exchange(&watch->used, true))
		watch = watch->next;
	if (watch)
		return watch;
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch = fd < 0 || fd >= FD_SETSIZE ? NULL : malloc(sizeof(*watch));
	if (!watch) {
		if (fd >= 0)
			(void)close(fd);
		return NULL;
	}
	watch->fd = fd;
	atomic_init(&watch->used, true);
	watch->next = atomic_load(&watches);
	while (!atomic_compare_exchange_weak(&watches, &watch->next, watch))
		;
	return watch;
}

struct rtipc_watch *rtipc_watch(void)
{
	struct rtipc_watch *watch = take();
	uint64_t old;

	if (!watch)
		return NULL;
	(void)posix_real.syscall(SYS_read, watch->fd, &old, sizeof(old));
	atomic_fetch_add(&watching, 1);
	return watch;
}

void rtipc_unwatch(struct rtipc_watch *watch)
{
	atomic_store(&watch->used, false);
	atomic_fetch_sub(&watching, 1);
}

void rtipc_watches_forget(void)
{
	for (const struct rtipc_watch *watch = atomic_load(&watches); watch; watch = watch->next)
		(void)close(watch->fd);
	atomic_store(&watches, NULL);
	atomic_store(&watching, 0);
}
