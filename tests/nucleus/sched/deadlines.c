/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deadlines are inherited as priorities are: an owner goes before each task that its waiter would
 * go before, and no other task waits for a lock that it never uses. All tasks are in one level:
 *
 *   owner    owns from the beginning, or serves a client; computes for 10 ms, then lets go
 *   waiter   wants it at 2 ms; deadline at 52 ms
 *   urgent   deadline at 9 ms, wakes up at 4 ms: before the owner
 *   patient  deadline at 503 ms, wakes up at 3 ms: behind the owner, and behind the waiter
 */
#include "at.h"

#include <tactus/mutex.h>
#include <tactus/port.h>
#include <tactus/rwlock.h>

#define LEVEL 20u

static tact_mutex_t mutex;
static tact_rwlock_t rwlock;
static tact_port_t port;

/* The operations of one kind of owner. */
struct lender {
	tact_object_t (*create)(uint32_t flags);
	void (*own)(void);
	void (*let_go)(void);
	void (*want)(void);
	void (*give_back)(void); /* NULL: the waiter does not own the object */
	uint32_t home;
};

static struct tact_sched_param edf(uint64_t deadline_ns)
{
	return (struct tact_sched_param){.sched_class = TACT_SCHED_EDF, .deadline_ns = deadline_ns};
}

static void owner(void *lender)
{
	const struct lender *by = lender;

	by->own();
	mark("owns");
	tact_compute(10 * TEST_MS);
	mark("gives");
	by->let_go();
	tact_compute(TEST_MS);
	mark("ends");
}

static void waiter(void *lender)
{
	const struct lender *by = lender;

	at(2 * TEST_MS);
	by->want();
	mark("waiter");
	if (by->give_back)
		by->give_back();
}

static void urgent(void *unused)
{
	(void)unused;
	at(4 * TEST_MS);
	tact_compute(TEST_MS);
	mark("urgent");
}

static void patient(void *unused)
{
	(void)unused;
	at(3 * TEST_MS);
	tact_compute(TEST_MS);
	mark("patient");
}

static void expect_inherited(const struct lender *by, struct tact_sched_param of_owner,
			     struct tact_sched_param of_waiter)
{
	const struct tact_sched_param soon = edf(5 * TEST_MS), late = edf(500 * TEST_MS);
	tact_object_t object;
	tact_task_t task[4];

	need_exact();
	object = by->create(TACT_PRIO | TACT_ON_CPU(by->home));
	start = tact_now();
	task[0] = spawn_as(&of_owner, LEVEL, owner, (void *)by);
	task[1] = spawn_as(&of_waiter, LEVEL, waiter, (void *)by);
	task[2] = spawn_as(&soon, LEVEL, urgent, NULL);
	task[3] = spawn_as(&late, LEVEL, patient, NULL);
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
	expect_marks("owns urgent gives waiter patient ends");
	expect_ok(tact_delete(object));
}

static tact_object_t create_mutex(uint32_t flags)
{
	expect_ok(tact_mutex_create(NULL, flags, 0, &mutex));
	return tact_object(mutex);
}

static void own_mutex(void)
{
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
}

static void unlock_mutex(void)
{
	expect_ok(tact_mutex_unlock(mutex));
}

static const struct lender by_mutex = {create_mutex, own_mutex,    unlock_mutex,
				       own_mutex,    unlock_mutex, 0};
static const struct lender by_mutex_elsewhere = {create_mutex, own_mutex,    unlock_mutex,
						 own_mutex,    unlock_mutex, 1};

static tact_object_t create_rwlock(uint32_t flags)
{
	expect_ok(tact_rwlock_create(NULL, 4, flags, &rwlock));
	return tact_object(rwlock);
}

static void own_rwlock(void)
{
	expect_ok(tact_rwlock_write(rwlock, TACT_FOREVER));
}

static void read_rwlock(void)
{
	expect_ok(tact_rwlock_read(rwlock, TACT_FOREVER));
}

static void unlock_rwlock(void)
{
	expect_ok(tact_rwlock_unlock(rwlock));
}

static const struct lender by_rwlock = {create_rwlock, own_rwlock,    unlock_rwlock,
					read_rwlock,   unlock_rwlock, 0};

static uint64_t request;

static tact_object_t create_port(uint32_t flags)
{
	expect_ok(tact_port_create(NULL, flags, &port));
	return tact_object(port);
}

static void receive(void)
{
	struct tact_port_message message = {0};

	expect_eq(tact_port_receive(port, NULL, 0, &message, TACT_FOREVER), 0);
	request = message.request;
}

static void reply(void)
{
	expect_ok(tact_port_reply(port, request, NULL, 0));
}

static void send(void)
{
	expect_ok(tact_port_send(port, NULL, 0, NULL, 0, TACT_FOREVER));
}

static const struct lender by_port = {create_port, receive, reply, send, NULL, 0};
static const struct lender by_port_elsewhere = {create_port, receive, reply, send, NULL, 1};

/* The owner's own deadline is the last of all, or it has none. */
#define LATE edf(1000 * TEST_MS)
#define SOON edf(50 * TEST_MS)

TASK_TEST(edf_owner_of_a_mutex_inherits_the_deadline)
{
	expect_inherited(&by_mutex, LATE, SOON);
}

TASK_TEST_CPUS(2, edf_owner_of_a_mutex_of_another_cpu_inherits_the_deadline)
{
	expect_inherited(&by_mutex_elsewhere, LATE, SOON);
}

TASK_TEST(edf_writer_inherits_the_deadline_of_a_reader)
{
	expect_inherited(&by_rwlock, LATE, SOON);
}

TASK_TEST(edf_server_inherits_the_deadline_of_its_client)
{
	expect_inherited(&by_port, LATE, SOON);
}

TASK_TEST_CPUS(2, edf_server_at_a_port_of_another_cpu_inherits_the_deadline_of_its_client)
{
	expect_inherited(&by_port_elsewhere, LATE, SOON);
}

/* A task without a deadline is behind all tasks with one, unless it inherits a deadline. */
TASK_TEST(fifo_owner_inherits_the_deadline)
{
	expect_inherited(&by_mutex, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO},
			 SOON);
}

TASK_TEST(round_robin_owner_inherits_the_deadline)
{
	const struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = TEST_MS};

	expect_inherited(&by_mutex, rr, SOON);
}

static struct tact_sched_param cbs(uint64_t budget_ns, uint64_t deadline_ns)
{
	return (struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
					 .budget_ns = budget_ns,
					 .deadline_ns = deadline_ns,
					 .replenish_ns = deadline_ns};
}

/* It is throttled when the waiter comes, and again when it has let go. */
TASK_TEST(throttled_cbs_owner_inherits_the_deadline)
{
	expect_inherited(&by_mutex, cbs(TEST_MS, 100 * TEST_MS), SOON);
}

TASK_TEST(cbs_owner_with_budget_inherits_the_deadline)
{
	expect_inherited(&by_mutex, cbs(100 * TEST_MS, 1000 * TEST_MS), SOON);
}

TASK_TEST(cbs_waiter_lends_its_deadline)
{
	expect_inherited(&by_mutex, LATE, cbs(20 * TEST_MS, 50 * TEST_MS));
}

/* Along a chain, and whatever becomes of the waiter's deadline while it waits. */

static tact_mutex_t second;

static void link(void *unused)
{
	(void)unused;
	at(TEST_MS);
	expect_ok(tact_mutex_lock(second, TACT_FOREVER));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	mark("link");
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_mutex_unlock(second));
}

static void want_second(void *unused)
{
	(void)unused;
	at(2 * TEST_MS);
	expect_ok(tact_mutex_lock(second, TACT_FOREVER));
	mark("waiter");
	expect_ok(tact_mutex_unlock(second));
}

static void chain(uint32_t home, uint32_t cpu_of_link)
{
	const struct tact_sched_param late = edf(1000 * TEST_MS), links = edf(900 * TEST_MS),
				      waiters = edf(800 * TEST_MS), rivals = edf(500 * TEST_MS),
				      soon = edf(50 * TEST_MS);
	struct tact_task_attr attr = {
		.priority = LEVEL, .flags = TACT_ON_CPU(cpu_of_link), .sched = &links};
	tact_task_t task[4];

	need_exact();
	create_mutex(TACT_PRIO | TACT_ON_CPU(home));
	expect_ok(tact_mutex_create(NULL, TACT_PRIO | TACT_ON_CPU(home), 0, &second));
	start = tact_now();
	task[0] = spawn_as(&late, LEVEL, owner, (void *)&by_mutex);
	expect_ok(tact_task_spawn(&attr, link, NULL, &task[1]));
	task[2] = spawn_as(&waiters, LEVEL, want_second, NULL);
	task[3] = spawn_as(&rivals, LEVEL, patient, NULL);
	/* The rival runs from 3 ms on. */
	at(3 * TEST_MS + TEST_MS / 2);
	expect_ok(tact_task_set_sched(task[2], &soon));
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
	expect_marks("owns gives link waiter patient ends");
}

TASK_TEST(new_deadline_of_a_waiter_is_passed_on_along_a_chain)
{
	chain(0, 0);
}

TASK_TEST_CPUS(2, new_deadline_of_a_waiter_is_passed_on_over_cpus)
{
	chain(1, 1);
}

/* A release that has passed already has a later deadline than the job that ran over it. */

static void overruns(void *unused)
{
	(void)unused;
	expect_ok(tact_task_set_periodic(TACT_SELF, start, 10 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, NULL));
	tact_compute(12 * TEST_MS);
	mark("first");
	(void)tact_task_wait_period(NULL, NULL);
	tact_compute(TEST_MS);
	mark("second");
}

static void other(void *unused)
{
	(void)unused;
	at(TEST_MS);
	tact_compute(TEST_MS);
	mark("other");
}

TASK_TEST(release_that_has_passed_gives_way_to_an_earlier_deadline)
{
	const struct tact_sched_param ten = edf(10 * TEST_MS), fifteen = edf(15 * TEST_MS);
	tact_task_t task[2];

	need_exact();
	start = tact_time_add(tact_now(), TEST_MS);
	task[0] = spawn_as(&ten, LEVEL, overruns, NULL);
	task[1] = spawn_as(&fifteen, LEVEL, other, NULL);
	for (int i = 0; i < 2; i++)
		test_join(task[i]);
	expect_marks("first other second");
}
