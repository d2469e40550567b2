/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory with a name between programs: who finds it, when it goes, and what kills leave. */
#define _GNU_SOURCE /* rand_r() */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rtai_shm.h>

#include "rtai_test.h"

#define BYTES     20000
#define WORDS     (BYTES / (int)sizeof(long))
#define PROCESSES 4
#define KILLS     200

static unsigned long name;
static char label[32];

/* A session of its own, before the program uses RTAI. */
static void begin(void)
{
	if (test_on_sim())
		test_skip("in virtual time a process is alone");
	snprintf(label, sizeof(label), "test-%d", (int)getpid());
	expect_eq(setenv("TACTUS_SESSION", label, 1), 0);
	name = nam2num("SHARED");
}

static pid_t start(void (*body)(void))
{
	const pid_t parent = getpid();
	const pid_t child = fork();

	if (child)
		return child;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	body();
	exit(0);
}

static int end(pid_t child)
{
	int status = -1;

	expect_true(waitpid(child, &status, 0) == child);
	return status;
}

static const char *file_path(void)
{
	static char path[128];

	snprintf(path, sizeof(path), "/dev/shm/tactus-rtai-%u-%s-SHARED", geteuid(), label);
	return path;
}

static bool file_is_there(void)
{
	struct stat info;

	return !stat(file_path(), &info);
}

static void add_one(void)
{
	long *memory = rt_shm_alloc(name, 8, USE_VMALLOC);

	/* It has the size of the first one. */
	memory[WORDS - 1]++;
	if (rt_shm_free(name) != BYTES)
		exit(1);
}

static void add_and_keep(void)
{
	long *memory = rt_shm_alloc(name, 8, USE_VMALLOC);

	memory[WORDS - 1]++;
}

TEST_UNSTARTED(programs_find_memory_by_its_name)
{
	long *memory;

	begin();
	FAILS(rt_shm_alloc, NULL, rt_shm_alloc(name, 0, USE_VMALLOC));
	WORKS(rt_shm_alloc, !(memory = rt_shm_alloc(name, BYTES, USE_VMALLOC)));
	expect_eq(end(start(add_one)), 0);
	expect_eq(memory[WORDS - 1], 1);
	/* The end of a program that did not free it. */
	expect_eq(end(start(add_and_keep)), 0);
	expect_eq(memory[WORDS - 1], 2);
	expect_true(file_is_there());
	WORKS(rt_shm_free, rt_shm_free(name) != BYTES);
	expect_true(!file_is_there());
	memory = rt_shm_alloc(name, BYTES, USE_VMALLOC);
	expect_eq(memory[WORDS - 1], 0);
	rt_shm_free(name);
}

/* Anybody may have made a file of this name, to read what programs write there. */
TEST_UNSTARTED(memory_that_others_may_use_is_refused)
{
	int file;

	begin();
	file = open(file_path(), O_RDWR | O_CREAT | O_EXCL, 0600);
	expect_true(file >= 0);
	expect_eq(fchmod(file, 0666), 0);
	FAILS(rt_shm_alloc, NULL, rt_shm_alloc(name, BYTES, USE_VMALLOC));
	FAILS(rt_shm_alloc, NULL, rt_shm_alloc(name, 0, USE_VMALLOC));
	expect_eq(fchmod(file, 0600), 0);
	close(file);
	WORKS(rt_shm_alloc, !rt_shm_alloc(name, BYTES, USE_VMALLOC));
	WORKS(rt_shm_free, rt_shm_free(name) != BYTES);
	expect_true(!file_is_there());
}

static void fill_files(void)
{
	const struct rlimit limit = {4096, 4096};

	(void)setrlimit(RLIMIT_FSIZE, &limit);
	(void)signal(SIGXFSZ, SIG_IGN);
	exit(rt_shm_alloc(name, BYTES, USE_VMALLOC) ? 1 : 0);
}

TEST_UNSTARTED(memory_without_room_is_refused)
{
	begin();
	expect_eq(end(start(fill_files)), 0);
	expect_true(!file_is_there());
}

static void make_and_wait(void)
{
	long *memory = rt_shm_alloc(name, BYTES, USE_VMALLOC);

	memory[0] = 7;
	pause();
}

/* The memory outlives the program that made it, as long as another one has it. */
TEST_UNSTARTED(memory_stays_with_its_last_program)
{
	long *memory = NULL;
	pid_t maker;

	begin();
	maker = start(make_and_wait);
	while (!memory)
		memory = rt_shm_alloc(name, 0, USE_VMALLOC);
	while (memory[0] != 7)
		;
	kill(maker, SIGKILL);
	expect_eq(end(maker), SIGKILL);
	expect_eq(end(start(add_one)), 0);
	expect_eq(memory[WORDS - 1], 1);
	rt_shm_free(name);
	expect_true(!file_is_there());
}

/* A child of fork() that ends does not take its parent's memory away. */
static void nothing(void)
{
}

TEST_UNSTARTED(children_give_nothing_up)
{
	begin();
	expect_true(rt_shm_alloc(name, BYTES, USE_VMALLOC) != NULL);
	expect_eq(end(start(nothing)), 0);
	expect_true(file_is_there());
	rt_shm_free(name);
}

/* Word 0 is 0, or what the test has written. */
static void come_and_go(void)
{
	for (;;) {
		atomic_long *memory = rt_shm_alloc(name, BYTES, USE_VMALLOC);

		if (!memory)
			exit(2);
		atomic_fetch_add(&memory[1], 1);
		if (memory[0] != 0 && memory[0] != 77)
			exit(3);
		rt_shm_free(name);
	}
}

static void kill_at_random(unsigned int seed)
{
	pid_t child[PROCESSES];

	for (int i = 0; i < PROCESSES; i++)
		child[i] = start(come_and_go);
	for (int i = 0; i < KILLS; i++) {
		const int which = i % PROCESSES;

		usleep((useconds_t)rand_r(&seed) % 500);
		kill(child[which], SIGKILL);
		expect_eq(end(child[which]), SIGKILL);
		child[which] = start(come_and_go);
	}
	for (int i = 0; i < PROCESSES; i++) {
		kill(child[i], SIGKILL);
		expect_eq(end(child[i]), SIGKILL);
	}
}

TEST_UNSTARTED(kills_leave_new_memory)
{
	long *memory;

	begin();
	kill_at_random(1);
	memory = rt_shm_alloc(name, BYTES, USE_VMALLOC);
	expect_true(memory != NULL);
	expect_eq(memory[1], 0);
	rt_shm_free(name);
	expect_true(!file_is_there());
}

TEST_UNSTARTED(kills_leave_the_memory_of_others)
{
	long *memory;

	begin();
	memory = rt_shm_alloc(name, BYTES, USE_VMALLOC);
	expect_true(memory != NULL);
	memory[0] = 77;
	kill_at_random(2);
	expect_eq(memory[0], 77);
	expect_true(memory[1] > 0);
	rt_shm_free(name);
	expect_true(!file_is_there());
}
