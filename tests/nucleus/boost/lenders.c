/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes, ports and reader-writer locks, with owners and waiters, and the other tasks. */
#include "lenders.h"

#include <tactus/mutex.h>
#include <tactus/port.h>
#include <tactus/rwlock.h>

tact_time_t begin;
tact_object_t object;
volatile bool stop;
uint64_t messages_before, messages_due;

static tact_object_t link_object; /* between the waiter's object and the owner, in a chain */

tact_timeout_t at_ms(uint64_t ms)
{
	return tact_at(tact_time_add(begin, ms * TEST_MS));
}

struct tact_cpu_info info_of_cpu(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info;
}

static void compute_until_stop(void)
{
	while (!stop) {
		messages_before = info_of_cpu().messages;
		tact_compute(TEST_MS / 100);
	}
}

void computer(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(COMPUTES_MS)));
	while (tact_now().ns < begin.ns + COMPUTED_MS * TEST_MS)
		tact_compute(TEST_MS / 100);
	mark("computed");
}

void rival(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(READY_MS)));
	/* Not while the owner has the boost, and at once when the boost has ended. Reading the
	 * clock takes a few nanoseconds there. */
	if (test_exact()) {
		const uint64_t end_ns = begin.ns + ENDS_MS * TEST_MS;

		expect_true(tact_now().ns >= end_ns);
		expect_true(tact_now().ns < end_ns + 1000);
	}
	if (messages_due != NOT_COUNTED)
		expect_eq(info_of_cpu().messages - messages_before, messages_due);
	mark("rival");
	stop = true;
}

void owner(void *lender)
{
	((const struct lender *)lender)->own(object);
	compute_until_stop();
}

void waiter(void *lender)
{
	expect_ok(tact_task_sleep_until(at_ms(LENT_MS)));
	(void)((const struct lender *)lender)->wait(object, at_ms(ENDS_MS));
}

/* As the above, until another task ends its wait. */
void patient_waiter(void *lender)
{
	expect_ok(tact_task_sleep_until(at_ms(LENT_MS)));
	(void)((const struct lender *)lender)->wait(object, TACT_FOREVER);
}

void break_in(const struct lender *lender, tact_task_t waiting, enum end end)
{
	if (end == TIMES_OUT)
		return;
	expect_ok(tact_task_sleep_until(at_ms(ENDS_MS)));
	if (end == UNBLOCKED)
		expect_ok(tact_task_unblock(waiting, 0));
	else if (end == DELETED)
		expect_ok(tact_task_delete(waiting));
	else
		expect_ok(lender->remove(object));
}

/* Mutexes. */

static tact_mutex_t as_mutex(tact_object_t mutex)
{
	return (tact_mutex_t){mutex.id};
}

static tact_object_t create_mutex_of(uint32_t flags)
{
	tact_mutex_t mutex;

	expect_ok(tact_mutex_create(NULL, flags, 0, &mutex));
	return tact_object(mutex);
}

static tact_object_t create_mutex(uint32_t flags)
{
	return create_mutex_of(flags | TACT_PRIO);
}

static tact_object_t create_mutex_by_arrival(uint32_t flags)
{
	return create_mutex_of(flags | TACT_FIFO);
}

static int delete_mutex(tact_object_t mutex)
{
	return tact_mutex_delete(as_mutex(mutex));
}

void own_mutex(tact_object_t mutex)
{
	expect_ok(lock_mutex(mutex, TACT_FOREVER));
}

int lock_mutex(tact_object_t mutex, tact_timeout_t timeout)
{
	return tact_mutex_lock(as_mutex(mutex), timeout);
}

const struct lender by_mutex = {create_mutex, delete_mutex, own_mutex, lock_mutex, NULL};
const struct lender by_mutex_by_arrival = {create_mutex_by_arrival, delete_mutex, own_mutex,
					   lock_mutex, NULL};

/* Chains: the waiter waits for a mutex of a task that waits for the owner's. */

static tact_object_t create_chain(uint32_t flags)
{
	link_object = create_mutex(flags);
	return create_mutex(flags);
}

static void own_end(tact_object_t unused)
{
	(void)unused;
	own_mutex(link_object);
}

static void own_link(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(0)));
	own_mutex(object);
	(void)lock_mutex(link_object, TACT_FOREVER);
}

const struct lender by_chain = {create_chain, delete_mutex, own_end, lock_mutex, own_link};

/* Ports: a client that is served, and one that waits to be received while another is. */

static tact_port_t as_port(tact_object_t port)
{
	return (tact_port_t){port.id};
}

static tact_object_t create_port(uint32_t flags)
{
	tact_port_t port;

	expect_ok(tact_port_create(NULL, flags | TACT_PRIO, &port));
	return tact_object(port);
}

static int delete_port(tact_object_t port)
{
	return tact_port_delete(as_port(port));
}

void serve(tact_object_t port)
{
	struct tact_port_message message = {0};

	expect_eq(tact_port_receive(as_port(port), NULL, 0, &message, TACT_FOREVER), 0);
}

int send_nothing(tact_object_t port, tact_timeout_t timeout)
{
	return tact_port_send(as_port(port), NULL, 0, NULL, 0, timeout);
}

static void first_client(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(0)));
	(void)send_nothing(object, TACT_FOREVER);
}

const struct lender by_port = {create_port, delete_port, serve, send_nothing, NULL};
const struct lender by_busy_port = {create_port, delete_port, serve, send_nothing, first_client};

/* Reader-writer locks: the waiters of a writer. */

static tact_rwlock_t as_rwlock(tact_object_t rwlock)
{
	return (tact_rwlock_t){rwlock.id};
}

static tact_object_t create_rwlock(uint32_t flags)
{
	tact_rwlock_t rwlock;

	expect_ok(tact_rwlock_create(NULL, 4, flags | TACT_PRIO, &rwlock));
	return tact_object(rwlock);
}

static int delete_rwlock(tact_object_t rwlock)
{
	return tact_rwlock_delete(as_rwlock(rwlock));
}

static int read_rwlock(tact_object_t rwlock, tact_timeout_t timeout)
{
	return tact_rwlock_read(as_rwlock(rwlock), timeout);
}

static int write_rwlock(tact_object_t rwlock, tact_timeout_t timeout)
{
	return tact_rwlock_write(as_rwlock(rwlock), timeout);
}

static void own_rwlock(tact_object_t rwlock)
{
	expect_ok(write_rwlock(rwlock, TACT_FOREVER));
}

const struct lender by_reader = {create_rwlock, delete_rwlock, own_rwlock, read_rwlock, NULL};
const struct lender by_writer = {create_rwlock, delete_rwlock, own_rwlock, write_rwlock, NULL};
