/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: what Linux sees of a task, and what a task keeps from Linux. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct suite_task task;
static __thread unsigned own;

static void keep_own(void *arg)
{
	unsigned mine = (unsigned)(uintptr_t)arg;

	own = mine;
	for (unsigned i = 0; i < 200; i++) {
		errno = (int)mine;
		suite_yield();
		expect("own variable", mine + i, own);
		expect("own errno", mine, errno);
		if (i % 10 == 0) {
			char *memory = malloc(1000 + i);

			memset(memory, 1, 1000 + i);
			getppid();
			free(memory);
			suite_harden();
		}
		own++;
	}
}

static void full_tasks_have_their_own_storage(void)
{
	struct suite_task tasks[4];

	suite_start(1);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, true, keep_own, (void *)(uintptr_t)(i * 1000 + 1));
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

/* A light task's storage is in use when the CPU switches to the attached thread. */
static void sleep_lightly(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 50; i++)
		suite_sleep_until(hal_now_ns() + 20000);
}

static void attached_thread_keeps_its_storage(void)
{
	struct suite_task light;

	suite_start(1);
	own = 7;
	suite_attach(&task, 0);
	for (unsigned i = 0; i < 20; i++) {
		suite_task_start(&light, 0, false, sleep_lightly, NULL);
		suite_harden();
		suite_sleep_until(hal_now_ns() + 50000);
		expect("own variable", 7 + i, own);
		own++;
		suite_relax();
		expect("own variable", 8 + i, own);
		suite_task_join(&light);
	}
	suite_release(&task);
	suite_stop();
	expect_true("no fault", !task.fault.cause);
}

static void fault_when_attached(void *arg)
{
	suite_start(1);
	suite_attach(arg, 0);
	suite_harden();
	back_end_fault(HAL_FAULT_MEMORY);
}

/* The first thread's task was stopped for good: the program must still end by SIGTERM. */
static void program_whose_first_thread_was_stopped_can_be_ended(void)
{
	int status = 0;
	pid_t child = suite_fork();

	if (!child) {
		fault_when_attached(&task);
		_exit(0);
	}
	hal_linux_pause(300000000);
	kill(child, SIGTERM);
	for (unsigned i = 0; i < 100 && !waitpid(child, &status, WNOHANG); i++)
		hal_linux_pause(20000000);
	kill(child, SIGKILL);
	expect_true("ended by SIGTERM", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void *be_nobody(void *arg)
{
	(void)arg;
	expect_true("on no CPU", hal_enter() == NULL);
	expect_true("no task", hal_shadow_owner() == NULL);
	expect_true("still none", hal_shadow_owner() == NULL && !hal_stalled());
	return NULL;
}

static void create_thread(void *arg)
{
	pthread_t thread;

	(void)arg;
	expect("pthread_create", 0, pthread_create(&thread, NULL, be_nobody, NULL));
	pthread_join(thread, NULL);
	expect_true("and I am myself", suite_self() == &task);
}

static void thread_of_a_task_is_not_the_task(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, create_thread, NULL);
	suite_task_join(&task);
	suite_stop();
}

static pthread_t survivor;
static sem_t maker_ended;

static void *outlive(void *arg)
{
	while (sem_wait(&maker_ended) && errno == EINTR)
		;
	return be_nobody(arg);
}

static void leave_thread(void *arg)
{
	(void)arg;
	expect("pthread_create", 0, pthread_create(&survivor, NULL, outlive, NULL));
}

/* The memory of the shadow's record may have another use when the thread first asks which task it
 * is. */
static void thread_of_an_ended_task_is_nobody(void)
{
	char *memory[64];

	suite_start(1);
	sem_init(&maker_ended, 0, 0);
	suite_task_start(&task, 0, true, leave_thread, NULL);
	suite_task_join(&task);
	for (unsigned i = 0; i < 64; i++) {
		memory[i] = aligned_alloc(64, 1024);
		memset(memory[i], 0x55, 1024);
	}
	sem_post(&maker_ended);
	pthread_join(survivor, NULL);
	for (unsigned i = 0; i < 64; i++)
		free(memory[i]);
	sem_destroy(&maker_ended);
	suite_stop();
}

static void expect_scheduling(const char *what, int policy, int priority)
{
	pid_t tid = (pid_t)hal_shadow_tid(task.shadow);
	struct sched_param parameter;

	expect(what, policy, sched_getscheduler(tid));
	sched_getparam(tid, &parameter);
	expect(what, priority, parameter.sched_priority);
}

static void shadow_has_its_priority(void)
{
	if (geteuid())
		skip("not root");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip("one CPU");
	suite_start(1);
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 7, "a name"));
	expect_scheduling("created", SCHED_FIFO, 7);
	hal_shadow_set_priority(task.shadow, 20);
	expect_scheduling("raised", SCHED_FIFO, 20);
	hal_shadow_set_priority(task.shadow, 20 | HAL_IN_TURNS);
	expect_scheduling("in turns", SCHED_RR, 20);
	hal_shadow_set_priority(task.shadow, 0);
	expect_scheduling("ordinary", SCHED_OTHER, 0);
	hal_shadow_destroy(task.shadow, &task.context);

	expect("hal_shadow_attach", 0, hal_shadow_attach(&task.shadow, &task, 9));
	expect_scheduling("attached", SCHED_FIFO, 9);
	expect("tid", gettid(), hal_shadow_tid(task.shadow));
	hal_shadow_release(task.shadow);
	expect("released", SCHED_OTHER, sched_getscheduler(0));
	suite_stop();
}

/* If the shadow receives signals on the CPU on which its task computes. */
static void parked_shadow_goes_before_its_task_on_the_only_cpu(void)
{
	cpu_set_t set, one;

	if (geteuid())
		skip("not root");
	sched_getaffinity(0, sizeof(set), &set);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	suite_start(1);
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 7, "a name"));
	expect_scheduling("parked", SCHED_FIFO, 8);
	hal_shadow_set_priority(task.shadow, 20 | HAL_IN_TURNS);
	expect_scheduling("raised", SCHED_RR, 21);
	hal_shadow_set_priority(task.shadow, 99);
	expect_scheduling("at the top", SCHED_FIFO, 99);
	hal_shadow_set_priority(task.shadow, 0);
	expect_scheduling("ordinary", SCHED_OTHER, 0);
	hal_shadow_destroy(task.shadow, &task.context);

	expect("hal_shadow_attach", 0, hal_shadow_attach(&task.shadow, &task, 9));
	expect_scheduling("with its task", SCHED_FIFO, 9);
	hal_shadow_release(task.shadow);
	suite_stop();
	sched_setaffinity(0, sizeof(set), &set);
}

static void print_and_look(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 20; i++) {
		printf("task prints %u\n", i);
		fflush(stdout);
		expect_true("a CPU is told", sched_getcpu() >= 0);
		suite_harden();
	}
}

static void library_calls_just_work(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, print_and_look, NULL);
	suite_task_join(&task);
	suite_stop();
	expect_true("mode switches were seen", atomic_load(&task.linux_calls) >= 20);
}

static void many_shadows_come_and_go(void)
{
	static struct suite_task tasks[50];

	suite_start(1);
	for (unsigned turn = 0; turn < 4; turn++) {
		for (unsigned i = 0; i < 50; i++)
			suite_task_start(&tasks[i], 0, true, keep_own, (void *)(uintptr_t)i);
		for (unsigned i = 0; i < 50; i++)
			suite_task_join(&tasks[i]);
	}
	suite_stop();
}

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static int32_t noted_cpu, asked_cpu;
static unsigned calls_to_ask;

/* The second word of the area is the CPU that the kernel notes; -1: not registered. */
static void ask_for_cpu(void *arg)
{
	unsigned before = atomic_load(&task.linux_calls);

	(void)arg;
	noted_cpu = *(volatile int32_t *)((char *)__builtin_thread_pointer() + __rseq_offset + 4);
	asked_cpu = sched_getcpu();
	calls_to_ask = atomic_load(&task.linux_calls) - before;
}

static void task_has_no_restartable_area(void)
{
	if (!&__rseq_size || !__rseq_size)
		skip("this C library registers none");
	suite_start(1);
	suite_task_start(&task, 0, true, ask_for_cpu, NULL);
	suite_task_join(&task);
	expect_true("the shadow's CPU is not noted", noted_cpu < 0);
	/* The answer is the real-time CPU if it is given in place; a call would give the shadow's
	 * CPU. */
	if (!calls_to_ask)
		expect("sched_getcpu", suite_cpus[0].hal.linux_cpu, asked_cpu);
	suite_stop();
}

const struct suite_case cases_thread_shadow[] = {
	CASE(attached_thread_keeps_its_storage),
	CASE(program_whose_first_thread_was_stopped_can_be_ended),
	CASE(full_tasks_have_their_own_storage),
	CASE(thread_of_a_task_is_not_the_task),
	CASE(thread_of_an_ended_task_is_nobody),
	CASE(shadow_has_its_priority),
	CASE(parked_shadow_goes_before_its_task_on_the_only_cpu),
	CASE(library_calls_just_work),
	CASE(many_shadows_come_and_go),
	CASE(task_has_no_restartable_area),
	{NULL, NULL},
};
