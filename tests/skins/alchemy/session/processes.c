/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes of a session, and what they tell each other. */
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
static char label[32];

static void begin(void)
{
	if (test_on_sim())
		test_skip("in virtual time a process is alone");
	places = mmap(NULL, PLACES * sizeof(*places), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect_true(places != MAP_FAILED);
}

void session_begin(void)
{
	begin();
	snprintf(label, sizeof(label), "test-%d", (int)getpid());
	expect_ok(setenv("TACTUS_SESSION", label, 1));
}

void session_begin_nameless(void)
{
	begin();
	label[0] = '\0';
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
	char path[64];
	const struct dirent *entry;
	unsigned int count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/run/tactus/session-%u-%s", geteuid(), label);
	folder = opendir(path);
	if (!folder)
		test_skip("the folder of sessions is elsewhere");
	while ((entry = readdir(folder)))
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}
