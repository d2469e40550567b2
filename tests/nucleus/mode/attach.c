/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux threads as tasks (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <tactus/skin.h>

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static _Thread_local int mine;
static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void *be_a_task(void *arg)
{
	struct tact_task_attr attr = {.name = "attached", .priority = 20};
	tact_task_t task;

	(void)arg;
	mine = 5;
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_task_attach(&attr, &task));
		expect_error(tact_task_attach(&attr, NULL), TACT_EBUSY);
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_same(tact_task_self(), task);
		expect_eq(mine, 5);
		expect_ok(tact_task_sleep(TEST_MS));
		expect_true(getpid() > 0);
		expect_ok(tact_sem_post(sem));
		expect_ok(tact_task_detach());
		expect_eq(tact_mode(), TACT_MODE_NONE);
		expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
		expect_eq(mine, 5);
	}
	return NULL;
}

TEST(a_pthread_becomes_a_task_and_a_plain_thread_again)
{
	pthread_t thread;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(pthread_create(&thread, NULL, be_a_task, NULL));
	expect_ok(pthread_join(thread, NULL));
	for (int i = 0; i < 3; i++)
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_task_detach(), TACT_EPERM);
}

static tact_mutex_t kept;
static _Atomic tact_task_t ended;
static pthread_key_t late;

/* The thread is a task still. */
static void destroy_late(void *value)
{
	const tact_task_t task = ended;

	expect_ok(tact_sem_post(*(tact_sem_t *)value));
	expect_same(tact_task_self(), task);
}

static void *end_as_a_task(void *arg)
{
	struct tact_task_attr attr = {.name = "ends", .priority = 20};
	tact_task_t task;

	expect_ok(tact_task_attach(&attr, &task));
	ended = task;
	expect_ok(pthread_setspecific(late, &sem));
	expect_ok(tact_mutex_lock(kept, TACT_FOREVER));
	if (arg)
		pthread_exit(NULL);
	return NULL;
}

static void take_over(void *unused)
{
	(void)unused;
	expect_error(tact_mutex_lock(kept, TEST_LONG), TACT_EOWNERDEAD);
	expect_ok(tact_mutex_consistent(kept));
	expect_ok(tact_mutex_unlock(kept));
}

TEST(a_thread_that_ends_as_a_task_is_detached)
{
	int exits = 1;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(tact_mutex_create(NULL, 0, 0, &kept));
	expect_ok(pthread_key_create(&late, destroy_late));
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		expect_ok(pthread_create(&thread, NULL, end_as_a_task, i % 2 ? &exits : NULL));
		expect_ok(pthread_join(thread, NULL));
		expect_error(tact_task_inquire(ended, NULL), TACT_EIDRM);
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
		test_join(test_spawn(10, take_over, NULL));
	}
}

TEST(attachment_that_is_refused_leaves_the_thread_as_it_was)
{
	struct tact_task_attr attr = {.name = "taken"};
	cpu_set_t before;
	cpu_set_t after;
	tact_sem_t named;

	needs_linux();
	expect_ok(tact_sem_create("taken", 0, 1, 0, &named));
	sched_getaffinity(0, sizeof(before), &before);
	expect_error(tact_task_attach(&attr, NULL), TACT_EEXIST);
	expect_eq(tact_mode(), TACT_MODE_NONE);
	sched_getaffinity(0, sizeof(after), &after);
	expect_true(CPU_EQUAL(&before, &after));
	expect_ok(tact_sem_delete(named));
	expect_ok(tact_task_attach(&attr, NULL));
	expect_ok(tact_task_detach());
}

TEST(main_becomes_a_task_too)
{
	tact_mutex_t mutex;

	needs_linux();
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_task_attach(NULL, NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_error(tact_task_detach(), TACT_EBUSY);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_detach());
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

static unsigned files_open(void)
{
	DIR *files = opendir("/proc/self/fd");
	unsigned count = 0;

	expect_true(files != NULL);
	while (readdir(files))
		count++;
	closedir(files);
	return count;
}

static unsigned mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned count = 0;
	int c;

	expect_true(maps != NULL);
	while ((c = getc(maps)) != EOF)
		count += c == '\n';
	fclose(maps);
	return count;
}

#define ROUNDS 40u

static _Atomic tact_task_t to_delete;
static _Atomic unsigned cleaned, stopped;
static _Thread_local unsigned stopped_here;

/* The thread is plain again, and has not undone anything yet. */
static void count_stop(void)
{
	expect_eq(tact_mode(), TACT_MODE_NONE);
	stopped_here++;
	stopped++;
}

static void clean(void *arg)
{
	(void)arg;
	expect_eq(stopped_here, 1);
	cleaned++;
}

static void *be_deleted(void *arg)
{
	tact_task_t task;

	pthread_cleanup_push(clean, NULL);
	expect_ok(tact_task_attach(NULL, &task));
	to_delete = task;
	(void)tact_sem_wait(sem, TACT_FOREVER);
	mark("not-reached");
	pthread_cleanup_pop(0);
	return arg;
}

static void attach_and_delete(unsigned rounds)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	for (unsigned i = 0; i < rounds; i++) {
		pthread_t thread;
		void *result = NULL;
		tact_task_t task;

		to_delete = (tact_task_t){0};
		expect_ok(pthread_create(&thread, &attr, be_deleted, NULL));
		while (!(task = to_delete).id)
			usleep(100);
		test_until_state(task, TACT_TASK_STATE_WAITING);
		expect_ok(tact_task_delete(task));
		expect_ok(pthread_join(thread, &result));
		expect_true(result == PTHREAD_CANCELED);
	}
}

TEST(a_deleted_task_ends_its_attached_thread_and_leaves_nothing)
{
	unsigned files;
	unsigned maps;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	tact_on_stop(count_stop);
	/* A sanitizer's memory of threads grows until it has seen as many. */
	attach_and_delete(ROUNDS);
	files = files_open();
	maps = mappings();
	attach_and_delete(ROUNDS);
	expect_eq(files_open(), files);
	expect_true(mappings() <= maps + 4);
	tact_on_stop(NULL);
	expect_eq(cleaned, 2 * ROUNDS);
	expect_eq(stopped, 2 * ROUNDS);
	expect_marks("");
}

#ifdef __x86_64__
/* Its code may be built without frame pointers: the register holds anything, here an address where
 * nothing is, and the report's backtrace must do without. */
static void *fault_without_a_frame_pointer(void *arg)
{
	expect_ok(tact_task_attach(NULL, NULL));
	__asm__ volatile("movl $16, %%ebp\n\tmovl $1, (%%rbp)" ::: "memory");
	return arg;
}

TEST(an_attached_thread_that_faults_needs_no_frame_pointer)
{
	pthread_t thread;
	void *result = NULL;

	needs_linux();
	capture_reports();
	expect_ok(pthread_create(&thread, NULL, fault_without_a_frame_pointer, NULL));
	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
	expect_report("memory fault at 0x10");
}
#endif

static int volatile *volatile nowhere = (int volatile *)16; /* 0 a sanitizer would tell first */

TEST(a_thread_without_descriptors_for_a_shadow_stays_what_it_is)
{
	struct rlimit limit;
	struct rlimit none;

	needs_linux();
	expect_ok(getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	expect_ok(setrlimit(RLIMIT_NOFILE, &none));
	expect_error(tact_task_attach(NULL, NULL), TACT_ENOMEM);
	expect_ok(setrlimit(RLIMIT_NOFILE, &limit));
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

/* Its first thread cannot end without the program; it stays, and is open to signals. */
static void ended_politely(bool secondary)
{
	struct tact_config config = {.name = "main"};
	int status = 0;
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		expect_ok(test_start(&config, NULL));
		expect_ok(tact_task_attach(NULL, NULL));
		if (secondary)
			expect_ok(tact_task_relax());
		*nowhere = 1;
		_exit(0);
	}
	usleep(500000);
	expect_ok(kill(child, SIGTERM));
	for (int wait = 0; wait < 3000 && !waitpid(child, &status, WNOHANG); wait++)
		usleep(1000);
	(void)kill(child, SIGKILL);
	expect_true(WIFSIGNALED(status));
	expect_eq(WTERMSIG(status), SIGTERM);
}

TEST_UNSTARTED(a_program_whose_attached_main_faulted_ends_by_sigterm)
{
	needs_linux();
	ended_politely(false);
	ended_politely(true);
}
