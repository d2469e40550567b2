/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A boost ends at the instant at which the wait ends that lends it, whatever runs where the waiter
 * is: a task that computes above the waiter there does not prolong it.
 *
 *   CPU of the waiter   waiter (40) waits from 2 to 10 ms, computer (50) computes from 5 to 60 ms
 *   CPU of the owner    owner (5) computes all the time, rival (20) is ready from 8 ms on,
 *                       and runs from 10 ms on
 */
#include "exact.h"

#include <tactus/mutex.h>
#include <tactus/port.h>
#include <tactus/rwlock.h>

#define LENT_MS     2
#define COMPUTES_MS 5
#define READY_MS    8
#define ENDS_MS     10
#define COMPUTED_MS 60

enum end { TIMES_OUT, UNBLOCKED, DELETED };

static tact_time_t begin;
static tact_handle_t object;
static tact_handle_t link_object; /* between the waiter's object and the owner, in a chain */
static volatile bool stop;

static tact_timeout_t at_ms(uint64_t ms)
{
	return tact_at(tact_time_add(begin, ms * TEST_MS));
}

/* Something to be owned and waited for. */
struct lender {
	int (*create)(uint32_t flags, tact_handle_t *object);
	void (*own)(tact_handle_t object);
	int (*wait)(tact_handle_t object, tact_timeout_t timeout);
	/* Beside the owner's: one who makes it an owner. NULL: nobody is needed. */
	void (*helper)(void *unused);
};

static void compute_until_stop(void)
{
	while (!stop)
		tact_compute(TEST_MS / 100);
}

static void computer(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(COMPUTES_MS)));
	while (tact_now().ns < begin.ns + COMPUTED_MS * TEST_MS)
		tact_compute(TEST_MS / 100);
	mark("computed");
}

static void rival(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(READY_MS)));
	/* Not while the owner has the boost, and at once when it has it no more. Looking at the
	 * clock takes a few nanoseconds there. */
	if (test_exact()) {
		const uint64_t end_ns = begin.ns + ENDS_MS * TEST_MS;

		expect_true(tact_now().ns >= end_ns);
		expect_true(tact_now().ns < end_ns + 1000);
	}
	mark("rival");
	stop = true;
}

static void owner(void *lender)
{
	((const struct lender *)lender)->own(object);
	compute_until_stop();
}

static void waiter(void *lender)
{
	expect_ok(tact_task_sleep_until(at_ms(LENT_MS)));
	(void)((const struct lender *)lender)->wait(object, at_ms(ENDS_MS));
}

/* As the above, until somebody ends its wait. */
static void patient_waiter(void *lender)
{
	expect_ok(tact_task_sleep_until(at_ms(LENT_MS)));
	(void)((const struct lender *)lender)->wait(object, TACT_FOREVER);
}

static void break_in(tact_task_t waiting, enum end end)
{
	expect_ok(tact_task_sleep_until(at_ms(ENDS_MS)));
	expect_ok(end == UNBLOCKED ? tact_task_unblock(waiting) : tact_task_delete(waiting));
}

/* The body runs on the owner's CPU, above everybody. */
static void boost_ends(const struct lender *lender, uint32_t home, uint32_t at, enum end end)
{
	tact_task_t task[4];
	tact_task_t helper = 0;

	stop = false;
	/* All of them are there by then, also on a machine that others load. */
	begin = tact_time_add(tact_now(), (test_exact() ? 1 : 20) * TEST_MS);
	expect_ok(lender->create(TACT_ON_CPU(home), &object));
	if (lender->helper)
		helper = test_spawn_on(1 - at, 1, lender->helper, NULL);
	task[0] = test_spawn_on(at, 5, owner, (void *)lender);
	task[1] = test_spawn_on(at, 20, rival, NULL);
	task[2] = test_spawn_on(1 - at, 50, computer, NULL);
	task[3] = test_spawn_on(1 - at, 40, end == TIMES_OUT ? waiter : patient_waiter,
				(void *)lender);
	if (end != TIMES_OUT)
		break_in(task[3], end);
	for (int i = 0; i < (end == DELETED ? 3 : 4); i++)
		test_join(task[i]);
	if (helper)
		expect_ok(tact_task_delete(helper));
	expect_marks("rival computed");
}

static void in_each_way(const struct lender *lender, uint32_t home)
{
	boost_ends(lender, home, 0, TIMES_OUT);
}

/* Mutexes. */

static int create_mutex(uint32_t flags, tact_handle_t *mutex)
{
	return tact_mutex_create(NULL, flags | TACT_PRIO, 0, mutex);
}

static int create_mutex_by_arrival(uint32_t flags, tact_handle_t *mutex)
{
	return tact_mutex_create(NULL, flags | TACT_FIFO, 0, mutex);
}

static void own_mutex(tact_handle_t mutex)
{
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
}

static const struct lender by_mutex = {create_mutex, own_mutex, tact_mutex_lock, NULL};
static const struct lender by_mutex_by_arrival = {create_mutex_by_arrival, own_mutex,
						  tact_mutex_lock, NULL};

TASK_TEST_CPUS(2, timeout_at_a_mutex_ends_the_boost)
{
	in_each_way(&by_mutex, 1);
}

TASK_TEST_CPUS(2, timeout_at_a_mutex_of_the_owners_cpu_ends_the_boost)
{
	in_each_way(&by_mutex, 0);
}

TASK_TEST_CPUS(2, timeout_at_a_mutex_by_arrival_ends_the_boost)
{
	in_each_way(&by_mutex_by_arrival, 1);
}

TASK_TEST_CPUS(2, unblocking_at_a_mutex_ends_the_boost)
{
	boost_ends(&by_mutex, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_waiter_at_a_mutex_ends_the_boost)
{
	boost_ends(&by_mutex, 1, 0, DELETED);
}

/* Chains: the waiter waits for a mutex of a task that waits for the owner's. */

static int create_chain(uint32_t flags, tact_handle_t *mutex)
{
	int error = create_mutex(flags, &link_object);

	return error ? error : create_mutex(flags, mutex);
}

static void own_end(tact_handle_t unused)
{
	(void)unused;
	own_mutex(link_object);
}

static void own_link(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(0)));
	own_mutex(object);
	(void)tact_mutex_lock(link_object, TACT_FOREVER);
}

static const struct lender by_chain = {create_chain, own_end, tact_mutex_lock, own_link};

TASK_TEST_CPUS(2, timeout_at_the_far_end_of_a_chain_ends_the_boost)
{
	in_each_way(&by_chain, 1);
}

TASK_TEST_CPUS(2, timeout_at_the_far_end_of_a_chain_of_the_owners_cpu_ends_the_boost)
{
	in_each_way(&by_chain, 0);
}

TASK_TEST_CPUS(2, end_of_a_waiter_at_the_far_end_of_a_chain_ends_the_boost)
{
	boost_ends(&by_chain, 1, 0, DELETED);
}

/* Ports: a client that is served, and one that waits to be received while another is. */

static int create_port(uint32_t flags, tact_handle_t *port)
{
	return tact_port_create(NULL, flags | TACT_PRIO, port);
}

static void serve(tact_handle_t port)
{
	struct tact_port_message message;

	expect_eq(tact_port_receive(port, NULL, 0, &message, TACT_FOREVER), 0);
}

static int send(tact_handle_t port, tact_timeout_t timeout)
{
	return tact_port_send(port, NULL, 0, NULL, 0, timeout);
}

static void first_client(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(at_ms(0)));
	(void)send(object, TACT_FOREVER);
}

static const struct lender by_port = {create_port, serve, send, NULL};
static const struct lender by_busy_port = {create_port, serve, send, first_client};

TASK_TEST_CPUS(2, timeout_of_a_client_that_is_served_ends_the_boost)
{
	in_each_way(&by_port, 1);
}

TASK_TEST_CPUS(2, timeout_of_a_client_at_a_port_of_the_servers_cpu_ends_the_boost)
{
	in_each_way(&by_port, 0);
}

TASK_TEST_CPUS(2, end_of_a_client_that_is_served_ends_the_boost)
{
	boost_ends(&by_port, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, timeout_of_a_client_that_presses_ends_the_boost)
{
	in_each_way(&by_busy_port, 1);
}

TASK_TEST_CPUS(2, unblocking_a_client_that_presses_ends_the_boost)
{
	boost_ends(&by_busy_port, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_client_that_presses_ends_the_boost)
{
	boost_ends(&by_busy_port, 1, 0, DELETED);
}

/* Reader-writer locks: whoever waits for a writer. */

static int create_rwlock(uint32_t flags, tact_handle_t *rwlock)
{
	return tact_rwlock_create(NULL, 4, flags | TACT_PRIO, rwlock);
}

static void own_rwlock(tact_handle_t rwlock)
{
	expect_ok(tact_rwlock_write(rwlock, TACT_FOREVER));
}

static const struct lender by_reader = {create_rwlock, own_rwlock, tact_rwlock_read, NULL};
static const struct lender by_writer = {create_rwlock, own_rwlock, tact_rwlock_write, NULL};

TASK_TEST_CPUS(2, timeout_of_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	in_each_way(&by_reader, 1);
}

TASK_TEST_CPUS(2, timeout_of_a_reader_at_a_lock_of_the_writers_cpu_ends_the_boost)
{
	in_each_way(&by_reader, 0);
}

TASK_TEST_CPUS(2, unblocking_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_reader, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, timeout_of_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	in_each_way(&by_writer, 1);
}

TASK_TEST_CPUS(2, end_of_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_reader, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, unblocking_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_writer, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_writer, 1, 0, DELETED);
}

/* Both on one CPU: the rival preempts the owner at its instant, not when the owner next calls. */
static void on_one_cpu(const struct lender *lender)
{
	tact_task_t task[3];

	stop = false;
	begin = tact_time_add(tact_now(), TEST_MS);
	expect_ok(lender->create(0, &object));
	task[0] = test_spawn_on(0, 5, owner, (void *)lender);
	task[1] = test_spawn_on(0, 20, rival, NULL);
	task[2] = test_spawn_on(0, 40, waiter, (void *)lender);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("rival");
}

TASK_TEST(boost_by_a_mutex_ends_on_the_same_cpu)
{
	on_one_cpu(&by_mutex);
}

TASK_TEST(boost_by_a_client_ends_on_the_same_cpu)
{
	on_one_cpu(&by_port);
}

TASK_TEST(boost_by_a_reader_ends_on_the_same_cpu)
{
	on_one_cpu(&by_reader);
}

/* Queues that lend nothing: the timeout of a waiter that cannot preempt interrupts nobody. */

static uint64_t events(void)
{
	struct tact_cpu_info info;

	expect_ok(tact_cpu_inquire(0, &info));
	return info.events;
}

static int wait_sem(tact_handle_t sem, tact_timeout_t timeout)
{
	return tact_sem_wait(sem, timeout);
}

static int create_sem(uint32_t flags, tact_handle_t *sem)
{
	return tact_sem_create(NULL, 0, 1, flags | TACT_PRIO, sem);
}

static void own_nothing(tact_handle_t unused)
{
	(void)unused;
}

static int create_plain_mutex(uint32_t flags, tact_handle_t *mutex)
{
	return tact_mutex_create(NULL, flags | TACT_PRIO | TACT_MUTEX_PLAIN, 0, mutex);
}

static int create_ceiling_mutex(uint32_t flags, tact_handle_t *mutex)
{
	return tact_mutex_create(NULL, flags | TACT_PRIO | TACT_MUTEX_CEILING, 45, mutex);
}

static int create_fixed_port(uint32_t flags, tact_handle_t *port)
{
	return tact_port_create(NULL, flags | TACT_PRIO | TACT_PORT_FIXED, port);
}

static const struct lender none[] = {
	{create_sem, own_nothing, wait_sem, NULL},
	{create_plain_mutex, own_mutex, tact_mutex_lock, NULL},
	{create_ceiling_mutex, own_mutex, tact_mutex_lock, NULL},
	{create_fixed_port, serve, send, NULL},
};

TASK_TEST(timeouts_where_nothing_is_lent_interrupt_nobody)
{
	for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		tact_task_t task[2];
		uint64_t before;

		stop = false;
		begin = tact_now();
		expect_ok(none[i].create(0, &object));
		task[0] = test_spawn_light(5, owner, (void *)&none[i]);
		task[1] = test_spawn_light(40, waiter, (void *)&none[i]);
		expect_ok(tact_task_sleep_until(at_ms(COMPUTES_MS)));
		before = events();
		while (tact_now().ns < begin.ns + 2 * ENDS_MS * TEST_MS)
			tact_compute(TEST_MS / 10);
		if (test_exact())
			expect_eq(events() - before, 0);
		stop = true;
		test_join(task[0]);
		test_join(task[1]);
	}
}
