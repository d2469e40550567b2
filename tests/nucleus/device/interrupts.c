/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the device's interrupt to the handler and on to a task; masking; several lines and CPUs. */
#include "machine.h"
#include "timers.h"

static tact_device_t device;
static tact_interrupt_t interrupt;
static tact_sem_t sem;

static void handle(void *word)
{
	expect_eq(tact_mode(), TACT_MODE_HANDLER);
	mark(word);
	expect_ok(tact_sem_post(sem));
}

static void make(uint32_t line, uint32_t flags, void *word)
{
	if (!device.id) {
		machine_make(NULL);
		device = machine_open();
		expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	}
	expect_ok(tact_interrupt_create(NULL, device, line, handle, word, flags, &interrupt));
}

static void wait_and_mark(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("task");
}

static void compute(void *unused)
{
	(void)unused;
	mark("compute");
	hal_sim_interrupt(DEVICE, 0);
	tact_compute(TEST_MS);
	mark("computed");
}

TEST(interrupt_preempts_a_task_and_wakes_a_more_urgent_one)
{
	tact_task_t waiter, computer;

	make(0, 0, "handler");
	waiter = test_spawn(60, wait_and_mark, NULL);
	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	computer = test_spawn(50, compute, NULL);
	test_join(waiter);
	test_join(computer);
	expect_marks("compute handler task computed");
}

TEST(interrupt_of_an_idle_cpu_runs_its_handler)
{
	struct tact_interrupt_info info = {0};

	make(1, 0, "second");
	hal_sim_interrupt(DEVICE, 0);
	hal_sim_interrupt(DEVICE, 1);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_marks("second");
	expect_ok(tact_interrupt_inquire(interrupt, &info));
	expect_same(info.device, device);
	expect_eq(info.irq_line, 1);
	expect_eq(info.enabled, 1);
	expect_eq(info.pending, 0);
	expect_eq(info.runs, 1);
}

TEST(disabled_interrupt_is_remembered_as_one)
{
	struct tact_interrupt_info info = {0};

	make(0, 0, "handler");
	expect_ok(tact_interrupt_disable(interrupt));
	expect_ok(tact_interrupt_disable(interrupt));
	for (int i = 0; i < 3; i++) {
		hal_sim_interrupt(DEVICE, 0);
		expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	}
	expect_ok(tact_interrupt_inquire(interrupt, &info));
	expect_eq(info.enabled, 0);
	expect_eq(info.pending, 1);
	mark("enable");
	expect_ok(tact_interrupt_enable(interrupt));
	expect_ok(tact_interrupt_enable(interrupt));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_marks("enable handler");
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
}

/* An interrupt that a handler masks is masked at once, also the handler's own. */
static void handle_once(void *unused)
{
	(void)unused;
	mark("once");
	expect_ok(tact_interrupt_disable(interrupt));
	hal_sim_interrupt(DEVICE, 0);
	tact_compute(TEST_MS);
	expect_ok(tact_sem_post(sem));
}

TEST(handler_masks_its_own_interrupt)
{
	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(tact_interrupt_create(NULL, device, 0, handle_once, NULL, 0, &interrupt));
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_error(tact_sem_wait(sem, tact_in(10 * TEST_MS)), TACT_ETIMEDOUT);
	expect_marks("once");
	expect_ok(tact_interrupt_enable(interrupt));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_marks("once once");
}

static void raise_again(void *unused)
{
	static int times;

	(void)unused;
	mark("handler");
	if (times++ == 0)
		hal_sim_interrupt(DEVICE, 0);
	tact_compute(TEST_MS);
	expect_ok(tact_sem_post(sem));
}

TEST(interrupt_during_its_handler_runs_it_again)
{
	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(tact_interrupt_create(NULL, device, 0, raise_again, NULL, 0, &interrupt));
	hal_sim_interrupt(DEVICE, 0);
	for (int i = 0; i < 2; i++)
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_marks("handler handler");
}

TEST_CPUS(2, lines_interrupt_the_cpus_that_they_are_aimed_at)
{
	make(0, TACT_ON_CPU(0), "first");
	make(1, TACT_ON_CPU(1), "second");
	hal_sim_interrupt(DEVICE, 1);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_marks("second first");
}

static void fault(void *unused)
{
	(void)unused;
	mark("fault");
	hal_sim_fault(HAL_FAULT_MEMORY, 0);
	mark("not-reached");
}

TEST(fault_in_a_handler_disables_its_interrupt_and_no_other)
{
	struct tact_interrupt_info info = {0};
	tact_interrupt_t faulty;

	make(1, 0, "fine");
	expect_ok(tact_interrupt_create("faulty", device, 0, fault, NULL, 0, &faulty));
	capture_reports();
	hal_sim_interrupt(DEVICE, 0);
	do
		expect_ok(tact_interrupt_inquire(faulty, &info));
	while (info.enabled);
	hal_sim_interrupt(DEVICE, 0);
	hal_sim_interrupt(DEVICE, 1);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_marks("fault fine");
	expect_report("handler of \"faulty\"");
	expect_ok(tact_interrupt_delete(faulty));
}

TEST(interrupts_are_counted_until_they_are_waited_for)
{
	make(0, 0, "handler");
	expect_error(tact_interrupt_wait(interrupt, TACT_NOWAIT), TACT_EAGAIN);
	for (int i = 0; i < 3; i++) {
		hal_sim_interrupt(DEVICE, 0);
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	}
	expect_eq(tact_interrupt_wait(interrupt, TACT_FOREVER), 3);
	expect_error(tact_interrupt_wait(interrupt, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_interrupt_disable(interrupt));
	hal_sim_interrupt(DEVICE, 0);
	hal_sim_interrupt(DEVICE, 0);
	expect_error(tact_interrupt_wait(interrupt, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_interrupt_enable(interrupt));
	expect_eq(tact_interrupt_wait(interrupt, TEST_LONG), 1);
	expect_marks("handler handler handler handler");
}

static tact_interrupt_t bare_interrupt;

static void wait_for_interrupt(void *unused)
{
	(void)unused;
	expect_eq(tact_interrupt_wait(bare_interrupt, TEST_LONG), 1);
	mark("first");
	expect_error(tact_interrupt_wait(bare_interrupt, TEST_LONG), TACT_ECANCELED);
	expect_error(tact_interrupt_wait(bare_interrupt, TEST_LONG), TACT_EIDRM);
	mark("deleted");
}

TEST_CPUS(2, interrupt_without_a_handler_ends_a_wait)
{
	tact_task_t task;

	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create(NULL, device, 0, NULL, NULL, TACT_ON_CPU(1),
					&bare_interrupt));
	task = test_spawn(20, wait_for_interrupt, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	hal_sim_interrupt(DEVICE, 0);
	while (strcmp(test_marks(), "first") != 0)
		expect_ok(tact_interrupt_inquire(bare_interrupt, NULL));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	settle();
	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	expect_ok(tact_interrupt_delete(bare_interrupt));
	test_join(task);
	expect_marks("first deleted");
}

static void choose_interrupt(void *unused)
{
	struct tact_wait_item *taken,
		item[2] = {tact_wait_sem(sem, 1), tact_wait_interrupt(interrupt, 2)};

	(void)unused;
	expect_eq(tact_wait_any(item, 2, TEST_LONG, &taken), 1);
	expect_eq(taken->cookie, 2);
	mark("one");
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_task_sleep(TEST_MS));
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(tact_wait_any(item, 2, TEST_LONG, &taken), 2);
	item[1].size = 1;
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), TACT_EINVAL);
}

TEST(interrupt_is_one_of_several_objects)
{
	tact_task_t task;

	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_interrupt_create(NULL, device, 0, NULL, NULL, 0, &interrupt));
	task = test_spawn(20, choose_interrupt, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	hal_sim_interrupt(DEVICE, 0);
	test_join(task);
	expect_marks("one");
}

static void take_all_timers(void *unused)
{
	(void)unused;
	use_up_timers();
}

TEST(linux_thread_without_a_timer_does_not_wait_for_an_interrupt)
{
	make(0, 0, "handler");
	test_until_state(test_spawn_light(10, take_all_timers, NULL), TACT_TASK_STATE_SUSPENDED);
	expect_error(tact_interrupt_wait(interrupt, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_interrupt_wait(interrupt, TACT_NOWAIT), TACT_EAGAIN);
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_sem_wait(sem, TACT_FOREVER));
	expect_eq(tact_interrupt_wait(interrupt, TEST_LONG), 1);
}

static const void *owner;

static void wait_for_signal(void *unused)
{
	(void)unused;
	/* On its shadow, for once. */
	expect_ok(hal_sim_linux_call(1, 1000));
	owner = hal_sim_owner();
	expect_error(tact_interrupt_wait(bare_interrupt, TEST_LONG), TACT_EINTR);
}

TEST(signal_ends_the_wait_for_an_interrupt)
{
	tact_task_t task;

	machine_make(NULL);
	expect_ok(tact_interrupt_create(NULL, machine_open(), 0, NULL, NULL, 0, &bare_interrupt));
	task = test_spawn(20, wait_for_signal, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	while (hal_sim_signal(owner) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	test_join(task);
}
