/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: what a fork's child may not do, and what it leaves to its parent. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

#define BUFFER    (8u << 20)
#define PAGE      4096u
#define EXCLUSIVE (1ull << 56)
#define LIMIT_MS  20000

static struct suite_task task;

static void look_from_child(const char *whence)
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		struct hal_config config = suite_config(1);
		char reason[256] = "";
		bool good = !hal_linux_caller_ok() && !hal_enter() && !hal_stalled() &&
			    !hal_shadow_owner() &&
			    suite_try_start(&config, reason) == -TACT_EPERM && strlen(reason) > 10;

		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	expect(whence, 0, status);
}

static void fork_in_task(void *arg)
{
	(void)arg;
	look_from_child("forked by a task");
	suite_harden();
	look_from_child("forked by a task in primary mode");
}

static void forked_child_has_no_cpus(void)
{
	suite_start(1);
	look_from_child("forked by a plain thread");
	suite_task_start(&task, 0, true, fork_in_task, NULL);
	suite_task_join(&task);
	suite_attach(&task, 0);
	look_from_child("forked by an attached thread");
	suite_release(&task);
	expect_true("the parent is what it was", hal_linux_caller_ok());
	suite_stop();
}

static long faults_of_writing(volatile char *buffer)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	for (size_t at = 0; at < BUFFER; at += 4096)
		buffer[at] = 1;
	getrusage(RUSAGE_SELF, &after);
	return after.ru_minflt - before.ru_minflt;
}

/* No other process maps it, so a write to it copies nothing. Source: Linux, pagemap. */
static bool is_all_ours(const char *buffer)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	bool ours = true;

	for (size_t at = 0; at < BUFFER; at += PAGE) {
		uint64_t entry = 0;
		const off_t place = (off_t)((uintptr_t)(buffer + at) / PAGE * sizeof(entry));

		ours = ours && pread(pagemap, &entry, sizeof(entry), place) == sizeof(entry) &&
		       entry & EXCLUSIVE;
	}
	close(pagemap);
	return ours;
}

/* The child continues to live, so each page of the parent would be copied at its next write. The
 * back end soon makes the pages the parent's own again, without a write by the parent. */
static void fork_leaves_no_page_faults_behind(void)
{
	char *buffer =
		mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long faults;
	pid_t child;

	suite_start(1);
	faults_of_writing(buffer);
	child = suite_fork();
	if (!child) {
		pause();
		_exit(0);
	}
	for (int ms = 0; ms < LIMIT_MS && !is_all_ours(buffer); ms++)
		usleep(1000);
	expect_true("the pages are the parent's own again", is_all_ours(buffer));
	faults = faults_of_writing(buffer);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	suite_stop();
	expect_true("less than one fault in ten pages", faults < (long)(BUFFER / 4096 / 10));
}

const struct suite_case cases_thread_fork[] = {
	CASE(forked_child_has_no_cpus),
	CASE(fork_leaves_no_page_faults_behind),
	{NULL, NULL},
};
