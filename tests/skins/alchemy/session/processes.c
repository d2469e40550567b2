/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes of a session, and their messages. */
#define _GNU_SOURCE
#include "processes.h"

#include <dirent.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define PLACES 32
#define NAP_US 1000
#define NAPS   50000

static _Atomic uint32_t *places;
static char path[80]; /* of the session's folder */
static pid_t own_pid; /* the case's own process */

/* How many files the session's folder has, hidden ones counted or not; -1: there is no folder. */
static int count_files(bool hidden)
{
	const struct dirent *entry;
	int count = 0;
	DIR *folder = opendir(path);

	if (!folder)
		return -1;
	while ((entry = readdir(folder)))
		count += hidden || entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

bool session_is_there(void)
{
	return count_files(true) >= 0;
}

static void come_and_go(void)
{
	RT_TASK task;

	expect_ok(rt_task_create(&task, "passer-by", 0, 10, 0));
}

/* The remains of the last killed process disappear when the next one starts. */
static void leave_nothing(void)
{
	if (getpid() != own_pid || !session_is_there())
		return;
	process_end(process_begin(come_and_go));
	expect_true(!session_is_there());
}

static void begin(const char *label)
{
	if (test_on_sim())
		test_skip("in virtual time a process is alone");
	places = mmap(NULL, PLACES * sizeof(*places), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect_true(places != MAP_FAILED);
	snprintf(path, sizeof(path), "/run/tactus/session-%u%s%s", geteuid(), *label ? "-" : "",
		 label);
}

void session_begin(void)
{
	char label[32];

	snprintf(label, sizeof(label), "test-%d", (int)getpid());
	begin(label);
	expect_ok(setenv("TACTUS_SESSION", label, 1));
	own_pid = getpid();
	expect_ok(atexit(leave_nothing));
}

void session_begin_nameless(void)
{
	begin("");
	expect_ok(unsetenv("TACTUS_SESSION"));
}

pid_t process_begin(void (*body)(void))
{
	struct tact_config config = {.name = "test", .cpus = 1, .share = 1};
	char reason[TACT_REASON_BYTES];
	pid_t parent = getpid();
	pid_t process = fork();

	expect_true(process >= 0);
	if (process)
		return process;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (test_start(&config, reason))
		test_fail(__FILE__, __LINE__, "tact_start: %s", reason);
	body();
	exit(0);
}

void process_end(pid_t process)
{
	int status = 0;

	expect_eq(waitpid(process, &status, 0), process);
	expect_eq(status, 0);
}

void process_kill(pid_t process)
{
	int status = 0;

	expect_ok(kill(process, SIGKILL));
	expect_eq(waitpid(process, &status, 0), process);
}

void kill_at_random(void (*body)(void), uint32_t count, unsigned int seed, unsigned int place)
{
	for (uint32_t i = 0; i < count; i++) {
		pid_t user = process_begin(body);

		while (reached(place) <= i)
			usleep(1000);
		usleep((useconds_t)rand_r(&seed) % 10000);
		process_kill(user);
	}
}

void owner_and_user(void (*owner)(void), void (*user)(void))
{
	session_begin();
	pid_t first = process_begin(owner);

	process_end(process_begin(user));
	process_end(first);
}

void reach(unsigned int place)
{
	atomic_fetch_add(&places[place], 1);
}

uint32_t reached(unsigned int place)
{
	return atomic_load(&places[place]);
}

void reach_none(void)
{
	for (int i = 0; i < PLACES; i++)
		atomic_store(&places[i], 0);
}

void await(unsigned int place)
{
	for (int i = 0; i < NAPS && !reached(place); i++)
		usleep(NAP_US);
	if (!reached(place))
		test_fail(__FILE__, __LINE__, "place %u was not reached", place);
}

unsigned int names_left(void)
{
	int count;

	if (access("/run/tactus", W_OK))
		test_skip("the folder of sessions is elsewhere");
	count = count_files(false);
	return count < 0 ? 0 : (unsigned int)count;
}

void until_waiters(RT_SEM *sem, int count)
{
	RT_SEM_INFO info = {0};

	for (int i = 0; i < 20000; i++) {
		expect_ok(rt_sem_inquire(sem, &info));
		if (info.nwaiters == count)
			return;
		usleep(1000);
	}
	test_fail(__FILE__, __LINE__, "waiters: expected %d, actual %d", count, info.nwaiters);
}
