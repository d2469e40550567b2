/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A restarted task begins at its entry, whatever it did, and keeps what the manual says. */
#include "test.h"

static tact_sem_t sem;
static tact_sem_t begun; /* posted at each entry */
static tact_task_t task;
static const char *volatile last; /* the argument of the last life */

static void make(void)
{
	expect_ok(tact_sem_create(NULL, 0, 100, TACT_ON_CPU(0), &sem));
	expect_ok(tact_sem_create(NULL, 0, 100, TACT_ON_CPU(0), &begun));
}

static void begin(void *arg)
{
	last = arg;
	mark(arg);
	expect_ok(tact_sem_post(begun));
}

static void await_begin(const char *arg)
{
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	expect_str(last, arg);
}

static void wait_here(void *arg)
{
	begin(arg);
	(void)tact_sem_wait(sem, TEST_LONG);
	mark("continues");
}

static void compute_here(void *arg)
{
	begin(arg);
	for (;;)
		tact_compute(TEST_MS / 20);
}

static void restart_on(uint32_t cpu, void (*entry)(void *))
{
	make();
	task = test_spawn_on(cpu, 20, entry, "first");
	await_begin("first");
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_ok(tact_task_restart(task, "third"));
	await_begin("third");
	expect_marks("first second third");
	expect_ok(tact_task_delete(task));
}

TEST(task_that_waits_begins_anew)
{
	restart_on(0, wait_here);
}

TEST(task_that_computes_begins_anew)
{
	restart_on(0, compute_here);
}

static void suspend_here(void *arg)
{
	begin(arg);
	(void)tact_task_suspend(TACT_SELF);
	mark("continues");
}

TEST(suspended_task_begins_anew)
{
	restart_on(0, suspend_here);
}

static void sleep_here(void *arg)
{
	begin(arg);
	(void)tact_task_sleep(1000 * TEST_MS);
	mark("continues");
}

TEST(sleeping_task_begins_anew)
{
	restart_on(0, sleep_here);
}

TEST(light_task_begins_anew)
{
	make();
	task = test_spawn_light(20, wait_here, "first");
	await_begin("first");
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("first second continues");
}

static void restart_it(void *arg)
{
	expect_ok(tact_task_restart(task, arg));
}

TEST_CPUS(2, task_of_another_cpu_restarts_it)
{
	make();
	task = test_spawn_on(0, 20, compute_here, "first");
	await_begin("first");
	test_join(test_spawn_on(1, 20, restart_it, "second"));
	await_begin("second");
	expect_ok(tact_task_delete(task));
}

TEST_CPUS(2, task_that_moved_restarts_where_it_is)
{
	struct tact_task_info info = {0};

	make();
	task = test_spawn_on(0, 20, wait_here, "first");
	await_begin("first");
	expect_ok(tact_task_migrate(task, 1));
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.cpu, 1);
	expect_ok(tact_task_delete(task));
}

static void restart_in_handler(void *arg)
{
	expect_ok(tact_task_restart(task, arg));
	expect_error(tact_task_restart(TACT_SELF, arg), TACT_EPERM);
}

TEST(handler_restarts_the_task_that_it_interrupted)
{
	make();
	task = test_spawn(20, compute_here, "first");
	await_begin("first");
	test_in_handler(restart_in_handler, "second");
	await_begin("second");
	expect_ok(tact_task_delete(task));
}

static void restart_itself(void *arg)
{
	begin(arg);
	if (strcmp(arg, "first") == 0)
		(void)tact_task_restart(TACT_SELF, "second");
	if (strcmp(arg, "second") == 0)
		(void)tact_task_restart(tact_task_self(), "third");
	mark("end");
}

TEST(task_restarts_itself)
{
	make();
	task = test_spawn(20, restart_itself, "first");
	test_join(task);
	expect_marks("first second third end");
}

/* In secondary mode until it is told. */
static volatile bool come_back;

static void stay_in_secondary(void *arg)
{
	expect_ok(tact_task_relax());
	last = arg;
	mark(arg);
	while (!come_back)
		tact_compute(TEST_MS / 20);
	come_back = false;
	(void)tact_task_harden();
	mark("continues");
}

TEST(task_in_secondary_mode_begins_anew_when_it_comes_back)
{
	make();
	task = test_spawn(20, stay_in_secondary, "first");
	while (strcmp(test_marks(), "first") != 0)
		tact_compute(TEST_MS / 20);
	expect_ok(tact_task_restart(task, "lost"));
	expect_ok(tact_task_restart(task, "second"));
	expect_marks("first");
	come_back = true;
	while (strcmp(test_marks(), "first second") != 0)
		tact_compute(TEST_MS / 20);
	come_back = true;
	test_join(task);
	expect_marks("first second continues");
}

static void relax_itself(void *arg)
{
	expect_ok(tact_task_relax());
	mark(arg);
	if (strcmp(arg, "first") == 0)
		(void)tact_task_restart(TACT_SELF, "second");
	mark("end");
}

TEST(task_in_secondary_mode_restarts_itself)
{
	test_join(test_spawn(20, relax_itself, "first"));
	expect_marks("first second end");
}

static tact_mutex_t mutex;
static tact_mutex_t many[100];

static void own_and_wait(void *arg)
{
	if (strcmp(arg, "first") == 0) {
		expect_ok(tact_mutex_lock(mutex, TEST_LONG));
		for (uint32_t i = 0; i < 100; i++)
			expect_ok(tact_mutex_lock(many[i], TEST_LONG));
	}
	wait_here(arg);
}

static void take_over(void *unused)
{
	(void)unused;
	expect_error(tact_mutex_lock(mutex, TEST_LONG), TACT_EOWNERDEAD);
	expect_ok(tact_mutex_consistent(mutex));
	expect_ok(tact_mutex_unlock(mutex));
	mark("took");
}

static void locks_go_on(uint32_t cpu)
{
	uint32_t effective = 0;
	tact_task_t waiter;

	make();
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	for (uint32_t i = 0; i < 100; i++)
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(i % 2 ? cpu : 0), 0, &many[i]));
	task = test_spawn_on(cpu, 20, own_and_wait, "first");
	await_begin("first");
	waiter = test_spawn_on(0, 30, take_over, NULL);
	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	test_join(waiter);
	expect_ok(tact_task_get_priority(task, NULL, &effective));
	expect_eq(effective, 20);
	for (uint32_t i = 0; i < 100; i++) {
		struct tact_mutex_info info = {0};

		expect_ok(tact_mutex_inquire(many[i], &info));
		expect_none(info.owner);
		expect_eq(info.state, TACT_MUTEX_INCONSISTENT);
	}
	expect_ok(tact_task_delete(task));
}

TEST(locks_pass_on_as_those_of_an_ended_owner)
{
	locks_go_on(0);
}

TEST_CPUS(2, locks_of_two_cpus_pass_on)
{
	locks_go_on(1);
}

static void lock_and_wait(void *arg)
{
	if (strcmp(arg, "first") == 0) {
		expect_ok(tact_task_lock_scheduler());
		expect_eq(tact_task_lock_handlers(), 0);
		expect_ok(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, TEST_MS));
	} else {
		expect_error(tact_task_unlock_scheduler(), TACT_ESRCH);
		expect_error(tact_task_restore_handlers(1), TACT_EINVAL);
		expect_error(tact_task_wait_period(NULL, NULL), TACT_ESRCH);
	}
	wait_here(arg);
}

TEST(locks_of_the_cpu_and_the_period_are_gone)
{
	restart_on(0, lock_and_wait);
}

TEST(properties_are_kept_and_a_joiner_continues_to_wait)
{
	const struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR,
					    .quantum_ns = 100 * TEST_MS};
	const struct tact_task_attr attr = {.name = "axis", .priority = 20, .sched = &rr};
	struct tact_sched_param param = {0};
	struct tact_task_info info = {0};
	uint64_t data = 0;

	make();
	expect_ok(tact_task_spawn(&attr, wait_here, "first", &task));
	await_begin("first");
	expect_ok(tact_task_set_data(task, 4711));
	expect_ok(tact_task_set_priority(task, 33, 0, NULL));
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_ok(tact_task_inquire(task, &info));
	expect_str(info.name, "axis");
	expect_eq(info.base_priority, 33);
	expect_eq(info.priority, 33);
	expect_eq(info.suspend_count, 0);
	expect_ok(tact_task_get_sched(task, &param));
	expect_eq(param.sched_class, TACT_SCHED_RR);
	expect_ok(tact_task_get_data(task, &data));
	expect_eq(data, 4711);
	expect_error(tact_task_join(task, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_sem_post(sem));
	test_join(task);
}

static volatile uint32_t runs;

static void serve(uint64_t requests, void *unused)
{
	(void)unused;
	expect_eq(requests, 4);
	runs++;
}

TEST(routine_is_kept_without_its_requests)
{
	const struct tact_routine routine = {.run = serve, .masked = 3};
	struct tact_routine_info info = {0};

	make();
	task = test_spawn(20, wait_here, "first");
	await_begin("first");
	expect_ok(tact_task_set_routine(task, &routine));
	expect_ok(tact_task_request(task, 7));
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_ok(tact_task_inquire_routine(task, &info));
	expect_eq(info.running, 0);
	expect_eq(info.requests, 0);
	expect_eq(info.masked, 3);
	expect_eq(runs, 0);
	expect_ok(tact_task_request(task, 4));
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_eq(runs, 1);
}

static void restart_in_routine(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
	mark("routine");
	(void)tact_task_restart(TACT_SELF, "second");
	mark("never");
}

TEST(routine_restarts_its_task)
{
	const struct tact_routine routine = {.run = restart_in_routine};
	struct tact_routine_info info = {0};

	make();
	task = test_spawn(20, compute_here, "first");
	await_begin("first");
	expect_ok(tact_task_set_routine(task, &routine));
	expect_ok(tact_task_request(task, 1));
	await_begin("second");
	expect_ok(tact_task_inquire_routine(task, &info));
	expect_eq(info.running, 0);
	expect_eq(info.masked, 0);
	expect_marks("first routine second");
	expect_ok(tact_task_delete(task));
}

static void be_safe(void *arg)
{
	begin(arg);
	if (strcmp(arg, "first") != 0)
		return;
	expect_ok(tact_task_safe());
	expect_ok(tact_sem_post(begun));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("unsafe");
	(void)tact_task_unsafe();
	mark("never");
}

TEST(safe_task_restarts_when_it_is_not_safe_any_more)
{
	make();
	task = test_spawn(20, be_safe, "first");
	await_begin("first");
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	expect_ok(tact_task_restart(task, "lost"));
	expect_ok(tact_task_restart(task, "second"));
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("first unsafe second");
}

TEST(deletion_replaces_a_restart)
{
	make();
	task = test_spawn(20, be_safe, "first");
	await_begin("first");
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	expect_ok(tact_task_restart(task, "lost"));
	expect_error(tact_task_delete_unsafe(task, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	/* And it is not replaced. */
	expect_ok(tact_task_restart(task, "lost"));
	expect_ok(tact_sem_post(sem));
	while (tact_task_inquire(task, NULL) != -TACT_EIDRM)
		tact_compute(TEST_MS / 20);
	expect_marks("first unsafe");
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined", "address"))) static void fault(void *arg)
{
	begin(arg);
	if (strcmp(arg, "second") == 0)
		*(volatile char *)NULL = 1;
	(void)tact_sem_wait(sem, TEST_LONG);
}

TEST(fault_in_the_second_life_ends_the_task)
{
	if (test_on_sim())
		test_skip("virtual time has no faults");
	capture_reports();
	make();
	task = test_spawn(20, fault, "first");
	await_begin("first");
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	expect_eq(tact_task_join(task, TEST_LONG), 1);
}

static tact_cond_t cond;

static void await_signal(void *arg)
{
	begin(arg);
	if (strcmp(arg, "second") != 0) {
		expect_ok(tact_mutex_lock(mutex, TEST_LONG));
		expect_ok(tact_sem_post(begun));
		expect_ok(tact_cond_wait(cond, mutex, TEST_LONG));
		mark("signalled");
		expect_ok(tact_mutex_unlock(mutex));
	} else {
		(void)tact_sem_wait(sem, TEST_LONG);
	}
}

static void own_until_told(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_sem_post(begun));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex));
}

/* It was signalled and waits for the mutex: the signal goes to the next waiter. */
static void signal_goes_on(uint32_t cpu)
{
	struct tact_cond_info info = {0};
	tact_task_t next, owner;

	make();
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	task = test_spawn_on(cpu, 20, await_signal, "first");
	await_begin("first");
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	next = test_spawn_on(0, 20, await_signal, "next");
	await_begin("next");
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	test_until_state(next, TACT_TASK_STATE_WAITING);
	owner = test_spawn_on(0, 20, own_until_told, NULL);
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	expect_ok(tact_cond_signal(cond));
	expect_ok(tact_cond_inquire(cond, &info));
	expect_eq(info.waiters, 1);
	expect_ok(tact_task_restart(task, "second"));
	await_begin("second");
	settle();
	expect_ok(tact_cond_inquire(cond, &info));
	expect_eq(info.waiters, 0);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_sem_post(sem));
	test_join(owner);
	test_join(next);
	expect_marks("first next second signalled");
}

TEST(signal_of_a_condition_goes_to_the_next_waiter)
{
	signal_goes_on(0);
}

TEST_CPUS(2, signal_of_a_condition_of_another_cpu_goes_to_the_next_waiter)
{
	signal_goes_on(1);
}

static tact_port_t port;

static void serve_port(void *arg)
{
	struct tact_port_message message = {0};
	char byte;

	begin(arg);
	if (strcmp(arg, "first") == 0)
		expect_eq(tact_port_receive(port, &byte, 1, &message, TEST_LONG), 1);
	(void)tact_sem_wait(sem, TEST_LONG);
}

static void ask(void *unused)
{
	char reply;

	(void)unused;
	expect_error(tact_port_send(port, "x", 1, &reply, 1, TEST_LONG), TACT_EPIPE);
	mark("refused");
}

TEST(clients_of_its_requests_get_no_reply)
{
	tact_task_t client;

	make();
	expect_ok(tact_port_create(NULL, 0, &port));
	task = test_spawn(20, serve_port, "first");
	await_begin("first");
	client = test_spawn(10, ask, NULL);
	test_until_state(client, TACT_TASK_STATE_WAITING);
	tact_compute(5 * TEST_MS);
	expect_ok(tact_task_restart(task, "second"));
	test_join(client);
	await_begin("second");
	expect_ok(tact_task_delete(task));
}

static void wait_silently(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_post(begun));
	(void)tact_sem_wait(sem, TEST_LONG);
}

/* Pool and stack are those of the start, however often it restarts. */
TEST(many_restarts_use_nothing_up)
{
	struct tact_cpu_info before = {0}, after = {0};

	make();
	task = test_spawn(20, wait_silently, NULL);
	expect_ok(tact_sem_wait(begun, TEST_LONG));
	expect_ok(tact_cpu_inquire(0, &before));
	for (int i = 0; i < 1000; i++) {
		expect_ok(tact_task_restart(task, NULL));
		expect_ok(tact_sem_wait(begun, TEST_LONG));
	}
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.pool_used_bytes, before.pool_used_bytes);
	expect_ok(tact_task_delete(task));
}

static void nothing(void *unused)
{
	(void)unused;
}

TEST(codes)
{
	const struct tact_task_attr attr = {.priority = 20};

	make();
	expect_error(tact_task_restart(TACT_SELF, NULL), TACT_EPERM);
	expect_error(tact_task_restart((tact_task_t){0}, NULL), TACT_EBADF);
	expect_error(tact_task_restart((tact_task_t){sem.id}, NULL), TACT_EBADF);
	expect_ok(tact_task_create(&attr, &task));
	expect_error(tact_task_restart(task, NULL), TACT_EINVAL);
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_restart(task, NULL), TACT_EIDRM);
	task = test_spawn(20, nothing, NULL);
	while (tact_task_restart(task, NULL) != -TACT_EBUSY)
		tact_compute(TEST_MS / 20);
	test_join(task);
	expect_ok(tact_task_attach(NULL, &task));
	expect_error(tact_task_restart(TACT_SELF, NULL), TACT_ENOTSUP);
	expect_error(tact_task_restart(task, NULL), TACT_ENOTSUP);
	expect_ok(tact_task_detach());
}
