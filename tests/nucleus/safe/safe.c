/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that are safe from deletion: by a count, and by mutexes. */
#include "test.h"

static tact_sem_t sem;
static tact_sem_t reached;
static tact_mutex_t mutex;
static tact_task_t victim;

static void make(void)
{
	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(0), &sem));
	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(0), &reached));
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_SAFE | TACT_MUTEX_RECURSIVE | TACT_ON_CPU(0),
				    0, &mutex));
}

/* Safe twice, and unsafe by two posts. */
static void be_safe(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	expect_ok(tact_task_safe());
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_task_unsafe());
	mark("still");
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("unsafe");
	(void)tact_task_unsafe();
	mark("never");
}

static void start_victim(uint32_t cpu, void (*entry)(void *))
{
	make();
	victim = test_spawn_on(cpu, 20, entry, NULL);
	expect_ok(tact_sem_wait(reached, TEST_LONG));
}

static void let_go(void)
{
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	expect_ok(tact_sem_post(sem));
}

/* It ends by an order, and nobody has to join it. */
static void await_stale(void)
{
	for (int i = 0; i < 10000 && tact_task_inquire(victim, NULL) != -TACT_EIDRM; i++)
		tact_compute(TEST_MS / 10);
	expect_error(tact_task_inquire(victim, NULL), TACT_EIDRM);
}

static void delete_and_mark(void *unused)
{
	(void)unused;
	expect_ok(tact_task_delete_unsafe(victim, TEST_LONG));
	mark("deleted");
}

static void deleter_waits(uint32_t cpu_of_victim, uint32_t cpu_of_deleter)
{
	tact_task_t deleter;

	start_victim(cpu_of_victim, be_safe);
	deleter = test_spawn_on(cpu_of_deleter, 10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	let_go();
	test_join(deleter);
	expect_marks("still unsafe deleted");
	expect_error(tact_task_inquire(victim, NULL), TACT_EIDRM);
	expect_error(tact_task_join(victim, TEST_LONG), TACT_EIDRM);
}

TEST(deleter_waits_until_the_last_count_is_undone)
{
	deleter_waits(0, 0);
}

TEST_CPUS(2, deleter_of_another_cpu_waits)
{
	deleter_waits(0, 1);
}

TEST_CPUS(2, task_of_another_cpu_ends_where_it_is)
{
	deleter_waits(1, 0);
}

TEST(linux_thread_orders_and_the_task_ends_later)
{
	start_victim(0, be_safe);
	expect_error(tact_task_delete_unsafe(victim, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_task_inquire(victim, NULL));
	/* Nobody joins a task that was ordered to end. */
	expect_error(tact_task_join(victim, TACT_NOWAIT), TACT_EINVAL);
	let_go();
	await_stale();
	expect_marks("still unsafe");
}

TEST(refused_deleter_changes_nothing)
{
	start_victim(0, be_safe);
	expect_error(tact_task_delete_unsafe(victim, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_task_join(victim, TACT_NOWAIT), TACT_EAGAIN);
	let_go();
	test_join(victim);
	expect_marks("still unsafe never");
}

static void wait_for_good(void *unused)
{
	(void)unused;
	(void)tact_sem_wait(sem, TEST_LONG);
	mark("never");
}

TEST(task_that_is_not_safe_is_deleted_at_once)
{
	make();
	victim = test_spawn(20, wait_for_good, NULL);
	test_until_state(victim, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete_unsafe(victim, TACT_NOWAIT));
	expect_error(tact_task_inquire(victim, NULL), TACT_EIDRM);
	victim = test_spawn(20, wait_for_good, NULL);
	expect_ok(tact_task_delete_unsafe(victim, TEST_LONG));
	await_stale();
	expect_marks("");
}

TEST(deletion_by_force_ends_a_safe_task_and_the_wait_of_its_deleter)
{
	tact_task_t deleter;

	start_victim(0, be_safe);
	deleter = test_spawn(10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(victim));
	test_join(deleter);
	expect_marks("deleted");
}

static void delete_itself(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	mark("safe");
	(void)tact_task_delete_unsafe(TACT_SELF, TEST_LONG);
	mark("never");
}

TEST(safe_task_deletes_itself)
{
	make();
	victim = test_spawn(20, delete_itself, NULL);
	await_stale();
	expect_marks("safe");
}

/* Owns the safe mutex twice. */
static void own(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex));
	mark("still");
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("unsafe");
	(void)tact_mutex_unlock(mutex);
	mark("never");
}

static void owner_is_safe(uint32_t cpu)
{
	tact_task_t deleter;

	start_victim(cpu, own);
	expect_error(tact_task_delete_unsafe(victim, TACT_NOWAIT), TACT_EAGAIN);
	deleter = test_spawn_on(0, 10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	let_go();
	test_join(deleter);
	expect_marks("still unsafe deleted");
}

static void lock_clean(void *unused)
{
	(void)unused;
	/* It was given back before the end. */
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark("clean");
}

TEST(owner_of_a_safe_mutex_is_safe)
{
	owner_is_safe(0);
	test_join(test_spawn(20, lock_clean, NULL));
}

TEST_CPUS(2, owner_of_a_safe_mutex_of_another_cpu_is_safe)
{
	owner_is_safe(1);
	test_join(test_spawn(20, lock_clean, NULL));
}

static void lock_later(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_post(reached));
	(void)tact_mutex_lock(mutex, TEST_LONG);
	mark("never");
}

static void own_for_good(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	(void)tact_sem_wait(sem, TEST_LONG);
}

static void waiter_is_not_safe(uint32_t cpu)
{
	tact_task_t owner;

	make();
	owner = test_spawn_on(0, 30, own_for_good, NULL);
	test_until_state(owner, TACT_TASK_STATE_WAITING);
	victim = test_spawn_on(cpu, 20, lock_later, NULL);
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	test_until_state(victim, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete_unsafe(victim, TACT_NOWAIT));
	expect_ok(tact_task_delete(owner));
	expect_marks("");
}

TEST(waiter_for_a_safe_mutex_is_not_safe)
{
	waiter_is_not_safe(0);
}

TEST_CPUS(2, waiter_for_a_safe_mutex_of_another_cpu_is_not_safe)
{
	waiter_is_not_safe(1);
}

static void own_until_told(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex));
}

static void lock_after_wait(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	(void)tact_mutex_unlock(mutex);
	mark("never");
}

static void grant_makes_safe(uint32_t cpu)
{
	tact_task_t owner;

	make();
	owner = test_spawn_on(0, 30, own_until_told, NULL);
	test_until_state(owner, TACT_TASK_STATE_WAITING);
	victim = test_spawn_on(cpu, 20, lock_after_wait, NULL);
	test_until_state(victim, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	expect_error(tact_task_delete_unsafe(victim, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_sem_post(sem));
	test_join(owner);
	test_join(test_spawn_on(0, 10, lock_clean, NULL));
	expect_marks("clean");
}

TEST(grant_after_a_wait_makes_safe)
{
	grant_makes_safe(0);
}

TEST_CPUS(2, grant_by_another_cpu_after_a_wait_makes_safe)
{
	grant_makes_safe(1);
}

static void wait_cond(void *cond)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_sem_post(reached));
	(void)tact_cond_wait(*(tact_cond_t *)cond, mutex, TEST_LONG);
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	(void)tact_mutex_unlock(mutex);
	mark("never");
}

TEST(condition_returns_to_a_safe_owner)
{
	tact_cond_t cond;

	make();
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
	victim = test_spawn(20, wait_cond, &cond);
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	test_until_state(victim, TACT_TASK_STATE_WAITING);
	expect_ok(tact_cond_signal(cond));
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	expect_error(tact_task_delete_unsafe(victim, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_task_delete_unsafe(victim, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_sem_post(sem));
	test_join(test_spawn(10, lock_clean, NULL));
	expect_marks("clean");
}

TEST(deletion_of_its_safe_mutex_ends_an_ordered_task)
{
	tact_task_t deleter;

	start_victim(0, own);
	deleter = test_spawn(10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_mutex_delete(mutex));
	/* It ends when it would continue. */
	expect_ok(tact_sem_post(sem));
	test_join(deleter);
	expect_marks("deleted");
}

static void go_to_secondary(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	expect_ok(tact_task_relax());
	mark("secondary");
	while (strcmp(test_marks(), "secondary ordered") != 0)
		tact_compute(TEST_MS / 10);
	expect_ok(tact_task_harden());
	mark("primary");
	(void)tact_task_unsafe();
	mark("never");
}

TEST(order_waits_for_a_task_in_secondary_mode)
{
	make();
	victim = test_spawn(20, go_to_secondary, NULL);
	while (strcmp(test_marks(), "secondary") != 0)
		tact_compute(TEST_MS / 10);
	expect_error(tact_task_delete_unsafe(victim, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	mark("ordered");
	await_stale();
	expect_marks("secondary ordered primary");
}

TEST_CPUS(2, order_goes_along_to_another_cpu)
{
	tact_task_t deleter;

	start_victim(0, be_safe);
	deleter = test_spawn_on(0, 10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_migrate(victim, 1));
	let_go();
	test_join(deleter);
	expect_marks("still unsafe deleted");
}

static void be_broken(void *unused)
{
	(void)unused;
	expect_error(tact_task_delete_unsafe(victim, TEST_LONG), TACT_ECANCELED);
	mark("broken");
}

TEST(unblock_ends_the_wait_and_not_the_order)
{
	tact_task_t deleter;

	start_victim(0, be_safe);
	deleter = test_spawn(10, be_broken, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(deleter, 0));
	test_join(deleter);
	let_go();
	await_stale();
	expect_marks("broken still unsafe");
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined", "address"))) static void fault(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	expect_ok(tact_sem_post(reached));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	*(volatile char *)NULL = 1;
}

TEST(fault_ends_a_safe_task_and_the_wait_of_its_deleter)
{
	tact_task_t deleter;

	if (test_on_sim())
		test_skip("virtual time has no faults");
	capture_reports();
	start_victim(0, fault);
	deleter = test_spawn(10, delete_and_mark, NULL);
	test_until_state(deleter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(sem));
	test_join(deleter);
	expect_marks("deleted");
}

static void refused_in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_task_safe(), TACT_EPERM);
	expect_error(tact_task_unsafe(), TACT_EPERM);
	expect_error(tact_task_delete_unsafe(victim, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_task_delete_unsafe(TACT_SELF, TACT_NOWAIT), TACT_EPERM);
}

TASK_TEST(codes_of_a_task)
{
	tact_timeout_t unknown = TEST_LONG;

	victim = tact_task_self();
	expect_error(tact_task_unsafe(), TACT_EINVAL);
	for (uint32_t i = 0; i < TACT_SAFE_MAX; i++)
		if (tact_task_safe())
			expect_ok(1);
	expect_error(tact_task_safe(), TACT_EOVERFLOW);
	for (uint32_t i = 0; i < TACT_SAFE_MAX; i++)
		if (tact_task_unsafe())
			expect_ok(1);
	expect_error(tact_task_unsafe(), TACT_EINVAL);
	test_in_handler(refused_in_handler, NULL);
	unknown.kind = TACT_TIMEOUT_WALL + 1;
	expect_error(tact_task_delete_unsafe(victim, unknown), TACT_EINVAL);
	expect_error(tact_task_delete_unsafe((tact_task_t){0}, TEST_LONG), TACT_EBADF);
}

TEST(thread_that_is_no_task_is_not_safe)
{
	make();
	expect_error(tact_task_safe(), TACT_EPERM);
	expect_error(tact_task_unsafe(), TACT_EPERM);
	expect_error(tact_task_delete_unsafe(TACT_SELF, TEST_LONG), TACT_EPERM);
	expect_error(tact_task_delete_unsafe((tact_task_t){sem.id}, TEST_LONG), TACT_EBADF);
}

static void nothing(void *unused)
{
	(void)unused;
}

TEST(task_that_has_ended_is_given_back)
{
	make();
	victim = test_spawn(20, nothing, NULL);
	tact_compute(5 * TEST_MS);
	expect_ok(tact_task_delete_unsafe(victim, TEST_LONG));
	expect_error(tact_task_delete_unsafe(victim, TEST_LONG), TACT_EIDRM);
}

TEST(mutex_tells_its_flag)
{
	struct tact_mutex_info info = {0};

	make();
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_eq(info.flags, TACT_MUTEX_SAFE | TACT_MUTEX_RECURSIVE);
}

TEST_UNSTARTED(stop_ends_the_waits_of_deleters)
{
	struct tact_config config = {.name = "test"};

	expect_ok(test_start(&config, NULL));
	start_victim(0, be_safe);
	test_until_state(test_spawn(10, delete_and_mark, NULL), TACT_TASK_STATE_WAITING);
	expect_ok(tact_stop());
	expect_marks("");
}
