/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doorbells: rung by this process, by a task in primary mode, by another process. */
#define _GNU_SOURCE
#include "test.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static tact_device_t doorbell;
static tact_interrupt_t interrupt;
static tact_sem_t sem;
static int file;
static struct tact_doorbell *attached;

static void handle(void *word)
{
	/* NULL: it comes too often for marks. */
	if (word && tact_mode() == TACT_MODE_HANDLER)
		mark(word);
	(void)tact_sem_post(sem);
}

static void open_doorbell(void)
{
	if (test_on_sim())
		test_skip("a program in virtual time is alone");
	expect_ok(tact_device_open(NULL, TACT_DOORBELL, 1, &doorbell, NULL));
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(tact_doorbell_file(doorbell, &file));
}

static void aim(uint32_t flags, void *word)
{
	expect_ok(tact_interrupt_create(NULL, doorbell, 0, handle, word, flags, &interrupt));
}

static void make(uint32_t flags, void *word)
{
	open_doorbell();
	aim(flags, word);
	expect_ok(tact_doorbell_attach(file, &attached));
}

TEST(ring_runs_the_handler)
{
	make(0, "rung");
	for (int i = 0; i < 3; i++) {
		tact_doorbell_ring(attached);
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	}
	expect_marks("rung rung rung");
	expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	tact_doorbell_detach(attached);
	tact_doorbell_detach(NULL);
}

TEST_CPUS(2, ring_comes_to_the_cpu_that_it_is_aimed_at)
{
	struct tact_interrupt_info info = {0};

	make(TACT_ON_CPU(1), "rung");
	tact_doorbell_ring(attached);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_interrupt_inquire(interrupt, &info));
	expect_eq(info.runs, 1);
	expect_same(info.device, doorbell);
}

TEST(ring_before_the_line_is_aimed_arrives_when_it_is)
{
	open_doorbell();
	expect_ok(tact_doorbell_attach(file, &attached));
	tact_doorbell_ring(attached);
	aim(0, "rung");
	expect_ok(tact_sem_wait(sem, TEST_LONG));
}

/* An attached doorbell remains valid when the doorbell is gone. */
TEST(ring_of_a_doorbell_that_is_gone_does_nothing)
{
	make(0, "rung");
	expect_ok(tact_device_close(doorbell));
	tact_doorbell_ring(attached);
	expect_ok(tact_interrupt_delete(interrupt));
	tact_doorbell_ring(attached);
	expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_doorbell_file(doorbell, &file), TACT_EIDRM);
}

TEST(bell_of_a_doorbell_that_is_gone_does_not_ring_a_later_one)
{
	struct tact_doorbell *former;

	make(0, "rung");
	former = attached;
	expect_ok(tact_interrupt_delete(interrupt));
	expect_ok(tact_device_close(doorbell));
	make(0, "rung later");
	tact_doorbell_ring(former);
	expect_error(tact_sem_wait(sem, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	tact_doorbell_ring(attached);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_marks("rung later");
	tact_doorbell_detach(former);
}

static void ring_often(void *rings)
{
	for (int i = 0; i < *(int *)rings; i++) {
		tact_doorbell_ring(attached);
		tact_compute(TEST_MS / 10);
		if (tact_mode() != TACT_MODE_PRIMARY)
			mark("secondary");
	}
	mark("done");
}

TEST(task_rings_in_primary_mode)
{
	int rings = 20;

	make(0, "rung");
	test_join(test_spawn(40, ring_often, &rings));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_true(!strstr(test_marks(), "secondary"));
	expect_true(strstr(test_marks(), "done"));
}

static void compute_until(void *word)
{
	while (!__atomic_load_n((uint32_t *)word, __ATOMIC_ACQUIRE))
		;
	mark("computed");
}

static void handle_and_tell(void *word)
{
	__atomic_store_n((uint32_t *)word, 1, __ATOMIC_RELEASE);
}

TEST(ring_of_another_process_interrupts_a_task_that_computes)
{
	static uint32_t word;
	tact_task_t computer;
	int status;
	pid_t child;

	open_doorbell();
	expect_ok(tact_interrupt_create(NULL, doorbell, 0, handle_and_tell, &word, 0, &interrupt));
	computer = test_spawn(30, compute_until, &word);
	child = fork();
	if (!child) {
		if (tact_doorbell_attach(file, &attached))
			_exit(1);
		tact_doorbell_ring(attached);
		_exit(0);
	}
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, 0);
	test_join(computer);
	expect_marks("computed");
}

/* Killed in the middle of a ring, again and again: the next ring still comes. */
TEST(process_killed_while_it_rings_keeps_nobody)
{
	make(0, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();

		if (!child)
			for (tact_doorbell_attach(file, &attached);;)
				tact_doorbell_ring(attached);
		usleep(1000 + 137 * (useconds_t)i);
		kill(child, SIGKILL);
		expect_eq(waitpid(child, NULL, 0), child);
		usleep(1000);
		while (!tact_sem_wait(sem, TACT_NOWAIT))
			;
		tact_doorbell_ring(attached);
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	}
}

static void wake(void *word)
{
	__atomic_store_n((uint32_t *)word, 1, __ATOMIC_RELEASE);
	tact_wake_shared(word);
	mark(tact_mode() == TACT_MODE_PRIMARY ? "primary" : "secondary");
}

TEST(task_wakes_a_thread_of_another_process)
{
	uint32_t *word =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	if (test_on_sim())
		test_skip("a program in virtual time is alone");
	expect_true(word != MAP_FAILED);
	child = fork();
	if (!child) {
		while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
			syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
		_exit(0);
	}
	usleep(2000);
	test_join(test_spawn(40, wake, word));
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, 0);
	expect_marks("primary");
}

static void refuse_in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_doorbell_attach(file, &attached), TACT_EPERM);
	expect_error(tact_doorbell_file(doorbell, &file), TACT_EPERM);
}

TEST(what_is_no_doorbell_is_refused)
{
	int other = open("/dev/null", O_RDWR);

	open_doorbell();
	expect_error(tact_doorbell_attach(other, &attached), TACT_EINVAL);
	expect_error(tact_doorbell_attach(-1, &attached), TACT_EINVAL);
	expect_error(tact_doorbell_attach(file, NULL), TACT_EINVAL);
	expect_error(tact_doorbell_file(doorbell, NULL), TACT_EINVAL);
	expect_error(tact_doorbell_file((tact_device_t){sem.id}, &file), TACT_EBADF);
	test_in_handler(refuse_in_handler, NULL);
	/* A file like a doorbell's, that others could make shorter. */
	other = memfd_create("none", MFD_CLOEXEC);
	expect_ok(ftruncate(other, 4096));
	expect_error(tact_doorbell_attach(other, &attached), TACT_EINVAL);
}

TEST(no_memory_for_a_doorbell_is_told)
{
	struct rlimit former, none;
	char reason[TACT_REASON_BYTES];

	open_doorbell();
	expect_ok(getrlimit(RLIMIT_NOFILE, &former));
	none = (struct rlimit){0, former.rlim_max};
	expect_ok(setrlimit(RLIMIT_NOFILE, &none));
	expect_error(tact_doorbell_file(doorbell, &file), TACT_ENOMEM);
	expect_error(tact_device_open(NULL, TACT_DOORBELL, 1, NULL, reason), TACT_ENOMEM);
	expect_true(strstr(reason, "doorbell"));
	/* For what looks for leaks at the end. */
	expect_ok(setrlimit(RLIMIT_NOFILE, &former));
}

TEST(program_starts_anew_with_doorbells)
{
	const struct tact_config config = {.cpus = 1};

	make(0, "rung");
	for (int i = 0; i < test_lives(5); i++) {
		tact_doorbell_ring(attached);
		expect_ok(tact_sem_wait(sem, TEST_LONG));
		tact_doorbell_detach(attached);
		close(file);
		expect_ok(tact_stop());
		expect_ok(test_start(&config, NULL));
		make(0, "rung");
	}
}
