/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A life, or a start that fails, leaves nothing in the process. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static char reason[TACT_REASON_BYTES];

/* The number of this process's mappings whose line contains a word, and of its open files. */
static unsigned mappings(const char *word)
{
	FILE *file = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned count = 0;

	if (!file)
		test_fail(__FILE__, __LINE__, "/proc/self/maps cannot be read");
	while (fgets(line, sizeof(line), file))
		count += strstr(line, word) != NULL;
	fclose(file);
	return count;
}

static rlim_t mapped_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%lu", &pages) != 1)
		test_fail(__FILE__, __LINE__, "/proc/self/statm cannot be read");
	fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static unsigned open_files(void)
{
	unsigned count = 0;

	for (int file = 0; file < 256; file++)
		count += fcntl(file, F_GETFD) >= 0;
	return count;
}

TEST_UNSTARTED(stop_gives_back_what_the_life_took)
{
	struct tact_config config = {.cpus = 1};
	unsigned guards = 0;
	unsigned files = 0;

	for (int life = 0; life < 6; life++) {
		expect_ok(test_start(&config, reason));
		expect_true(mappings("tactus-status") > 0);
		expect_ok(tact_stop());
		expect_eq(mappings("tactus-status"), 0);
		/* Guard pages are below stacks. The first life leaves what is made only once. */
		if (life == 0) {
			guards = mappings(" ---p ");
			files = open_files();
		}
		expect_eq(mappings(" ---p "), guards);
		expect_eq(open_files(), files);
	}
}

/* Each place where memory can run out in turn: none of them may leave anything behind. */
TEST_UNSTARTED(start_without_memory_gives_back_what_it_took)
{
	struct tact_config config = {.cpus = 3, .pool_bytes = 256u << 10};
	struct rlimit all;
	unsigned guards;
	unsigned refused = 0;

	if (!test_on_sim())
		test_skip("it would take CPUs that others use");
	if (test_sanitized())
		test_skip("a sanitizer ends a program that it cannot get memory for");
	expect_ok(test_start(&config, reason));
	expect_ok(tact_stop());
	guards = mappings(" ---p ");
	expect_ok(getrlimit(RLIMIT_AS, &all));
	for (rlim_t room = 0;; room += 32u << 10) {
		struct rlimit some = {.rlim_cur = mapped_bytes() + room, .rlim_max = all.rlim_max};
		int error;

		expect_ok(setrlimit(RLIMIT_AS, &some));
		error = test_start(&config, reason);
		expect_ok(setrlimit(RLIMIT_AS, &all));
		if (!error)
			break;
		refused++;
		expect_error(error, TACT_ENOMEM);
		expect_true(reason[0] != '\0');
		expect_eq(mappings(" ---p "), guards);
	}
	expect_true(refused > 0);
	expect_ok(tact_stop());
	expect_eq(mappings(" ---p "), guards);
}
