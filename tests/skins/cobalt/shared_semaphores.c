/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores with flags that POSIX lacks, in memory that processes share. */
#include "processes.h"

#include <semaphore.h>

enum { MADE, WAITS, WOKEN, MAY_END };

#define SEM   ((sem_t *)(void *)page->objects)
#define ORDER ((char *)page->objects + 1024)

static void make(int flags, unsigned int value)
{
	expect_ok(sem_init_np(SEM, flags | SEM_PSHARED, value));
	reach(MADE);
}

static int waiting(void)
{
	struct cobalt_sem_info info = {0};

	expect_true(cobalt_sem_inquire(SEM, &info, NULL, 0) >= 0);
	return info.nrwait;
}

static void own(void)
{
	make(SEM_RAWCLOCK | SEM_NOBUSYDEL, 1);
	await(MAY_END);
	expect_ok(sem_destroy(SEM));
}

static void *use_in_task(void *unused)
{
	const struct timespec bad = {0, 1000000000};
	struct cobalt_sem_info info = {0};
	struct timespec soon;
	int value = -1;

	expect_ok(sem_getvalue(SEM, &value));
	expect_eq(value, 1);
	expect_ok(sem_wait(SEM));
	expect_errno(sem_trywait(SEM), EAGAIN);
	soon = date_in(CLOCK_MONOTONIC, 5 * MS);
	expect_errno(sem_timedwait(SEM, &soon), ETIMEDOUT);
	soon = date_in(CLOCK_REALTIME, 5 * MS);
	expect_errno(sem_clockwait(SEM, CLOCK_REALTIME, &soon), ETIMEDOUT);
	expect_errno(sem_timedwait(SEM, &bad), EINVAL);
	expect_ok(sem_post(SEM));
	expect_ok(sem_post(SEM));
	expect_eq(cobalt_sem_inquire(SEM, &info, NULL, 0), 0);
	expect_eq(info.value, 2);
	expect_eq(info.flags, SEM_RAWCLOCK | SEM_NOBUSYDEL | SEM_PSHARED);
	expect_ok(sem_trywait(SEM));
	return unused;
}

static void use(void)
{
	use_when_made(use_in_task, MADE, MAY_END);
}

static void all_services_reach_another_process(void)
{
	owner_and_user(own, use);
}

static void *wait_and_mark(void *arg)
{
	expect_ok(sem_wait(SEM));
	ORDER[reached(WOKEN)] = *(const char *)arg;
	reach(WOKEN);
	return NULL;
}

/* They come in the order of their names; b and d are in another process than a and c. */
static const struct comer {
	char name;
	int priority;
} comers[] = {{'a', 10}, {'b', 30}, {'c', 20}, {'d', 30}};

static void come(int first)
{
	pthread_t threads[2];

	await(MADE);
	for (int i = 0; i < 2; i++) {
		const struct comer *comer = &comers[first + 2 * i];

		until(waiting() == first + 2 * i);
		threads[i] = thread_with(SCHED_FIFO, comer->priority, wait_and_mark,
					 (void *)(uintptr_t)&comer->name);
	}
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_join(threads[i], NULL));
}

static void come_first(void)
{
	come(0);
}

static void come_second(void)
{
	come(1);
}

static void release_in_turn(int flags)
{
	make(flags, 0);
	until(waiting() == 4);
	for (uint32_t i = 0; i < 4; i++) {
		expect_ok(sem_post(SEM));
		await_count(WOKEN, i + 1);
	}
	expect_ok(sem_destroy(SEM));
}

static void own_by_priority(void)
{
	release_in_turn(SEM_RAWCLOCK);
}

static void own_in_order_of_arrival(void)
{
	release_in_turn(SEM_FIFO);
}

static void expect_order(void (*owner)(void), const char *order)
{
	pid_t processes[3];

	session_begin();
	processes[0] = process_begin(owner);
	processes[1] = process_begin(come_first);
	processes[2] = process_begin(come_second);
	for (int i = 0; i < 3; i++)
		process_end(processes[i]);
	if (strcmp(ORDER, order))
		printf("# order: expected %s, actual %s\n", order, ORDER);
	expect_ok(strcmp(ORDER, order));
}

static void waiters_of_processes_go_by_priority(void)
{
	expect_order(own_by_priority, "bdca");
}

static void waiters_of_processes_go_in_order_of_arrival(void)
{
	expect_order(own_in_order_of_arrival, "abcd");
}

static void *wait_for_any(void *unused)
{
	expect_ok(sem_wait(SEM));
	reach(WOKEN);
	return unused;
}

static void wait_there(void)
{
	await(MADE);
	in_task(wait_for_any, NULL);
}

static void own_and_broadcast(void)
{
	make(SEM_PULSE, 0);
	expect_ok(sem_post(SEM)); /* is lost */
	until(waiting() == 2);
	expect_ok(sem_broadcast_np(SEM));
	await_count(WOKEN, 2);
	expect_errno(sem_trywait(SEM), EAGAIN);
	expect_ok(sem_destroy(SEM));
}

static void broadcast_reaches_all_processes(void)
{
	pid_t owner, one, two;

	session_begin();
	owner = process_begin(own_and_broadcast);
	one = process_begin(wait_there);
	two = process_begin(wait_there);
	process_end(one);
	process_end(two);
	process_end(owner);
}

static void *wait_for_deletion(void *unused)
{
	expect_errno(sem_wait(SEM), EINVAL);
	reach(WOKEN);
	return unused;
}

static void destroy_busy_and_kill(void)
{
	sem_t kept = *SEM;
	pthread_t thread;

	await(MADE);
	kept = *SEM;
	thread = thread_with(SCHED_FIFO, 20, wait_for_deletion, NULL);
	until(waiting() == 1);
	expect_errno(sem_destroy(SEM), EBUSY);
	reach(WAITS);
	expect_ok(pthread_join(thread, NULL));
	*SEM = kept;
	expect_errno(sem_post(SEM), EINVAL);
	expect_errno(sem_broadcast_np(SEM), EINVAL);
	expect_errno(sem_getvalue(SEM, &(int){0}), EINVAL);
	expect_errno(sem_destroy(SEM), EINVAL);
}

static void own_until_killed(void)
{
	make(SEM_NOBUSYDEL, 0);
	pause();
}

static void death_of_the_owner_ends_waits(void)
{
	outlive_owner(own_until_killed, destroy_busy_and_kill, WAITS);
}

#define MANY 200

static void own_for_many(void)
{
	make(SEM_FIFO, 0);
	until(waiting() == MANY);
	expect_ok(sem_broadcast_np(SEM));
	await_count(WOKEN, MANY);
	expect_ok(sem_destroy(SEM));
}

/* A plain program waits in a separate thread. */
static void wait_plainly(void)
{
	await(MADE);
	wait_for_any(NULL);
}

static void many_processes_wait_for_one(void)
{
	static pid_t users[MANY];
	pid_t owner;

	session_begin();
	owner = process_begin(own_for_many);
	for (int i = 0; i < MANY; i++)
		users[i] = process_begin(wait_plainly);
	for (int i = 0; i < MANY; i++)
		process_end(users[i]);
	process_end(owner);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(all_services_reach_another_process),
		CASE(waiters_of_processes_go_by_priority),
		CASE(waiters_of_processes_go_in_order_of_arrival),
		CASE(broadcast_reaches_all_processes),
		CASE(death_of_the_owner_ends_waits),
		CASE(many_processes_wait_for_one),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
