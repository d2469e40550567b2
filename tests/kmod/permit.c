/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * permit CPU WORD [ONLY]: TAKE is refused with a reason that contains WORD, or succeeds if WORD is
 * `taken`; ONLY is the one CPU that the program itself may use. bound CPU: tasks and an interrupt
 * that are bound to the CPU are bound to it again when it is back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static cpu_set_t only(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return set;
}

int case_permit(int count, char **words)
{
	const uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	const char *word = count > 2 ? words[2] : "taken";
	const bool wanted = strcmp(word, "taken") == 0;
	struct tact_bare_take take = {.cpu = cpu};
	int file, result;

	if (count > 3) {
		cpu_set_t set = only((uint32_t)atoi(words[3]));

		sched_setaffinity(0, sizeof(set), &set);
	}
	file = ring3_open();
	result = ioctl(file, TACT_BARE_TAKE, &take) ? errno : 0;
	if (wanted)
		check(!result, "permit: CPU %u is taken: %s %s", cpu, strerror(result),
		      take.reason);
	else
		check((result == EPERM || result == EBUSY) && strstr(take.reason, word) &&
			      strlen(take.reason) < TACT_BARE_REASON - 1,
		      "permit: CPU %u is refused for its %s: %s: %s", cpu, word, strerror(result),
		      take.reason);
	close(file);
	check(cpu_is_online(cpu), "permit: CPU %u is Linux's", cpu);
	return checks_failed();
}

/* A process that runs for a moment each 10 ms. */
static pid_t bound_child(uint32_t cpu)
{
	cpu_set_t set = only(cpu);
	pid_t pid = fork();

	if (pid)
		return pid;
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		usleep(10000);
}

struct bound_to {
	pid_t pid;
	cpu_set_t set;
};

static bool is_bound_to(void *data)
{
	struct bound_to *to = data;
	cpu_set_t now;

	return !sched_getaffinity(to->pid, sizeof(now), &now) && CPU_EQUAL(&now, &to->set);
}

static bool is_bound_otherwise(void *data)
{
	return !is_bound_to(data);
}

static bool interrupt_list(int interrupt, char list[64])
{
	char path[64];
	FILE *file;
	bool done;

	snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity_list", interrupt);
	file = fopen(path, "r");
	done = file && fgets(list, 64, file);
	if (file)
		fclose(file);
	if (done)
		list[strcspn(list, "\n")] = 0;
	return done;
}

/* Binds an interrupt that accepts the CPU as its only one; -1: there is none. */
static int interrupt_bind(uint32_t cpu)
{
	char path[64], list[64], number[16];

	snprintf(number, sizeof(number), "%u", cpu);
	for (int interrupt = 1; interrupt < 256; interrupt++) {
		FILE *file;
		bool done;

		snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity_list", interrupt);
		file = fopen(path, "w");
		if (!file)
			continue;
		done = fputs(number, file) >= 0;
		done = fclose(file) == 0 && done;
		if (done && interrupt_list(interrupt, list) && strcmp(list, number) == 0)
			return interrupt;
	}
	return -1;
}

static void check_descriptor(int file, uint32_t cpu)
{
	char path[64], text[2048], wanted[64];
	size_t bytes;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", file);
	info = fopen(path, "r");
	bytes = info ? fread(text, 1, sizeof(text) - 1, info) : 0;
	text[bytes] = 0;
	if (info)
		fclose(info);
	snprintf(wanted, sizeof(wanted), "tactus-core-0:\tCPU %u\n", cpu);
	check(strstr(text, wanted) != NULL, "bound: fdinfo tells which CPU the file holds");
}

int case_bound(int count, char **words)
{
	const uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	struct bound_to stays = {bound_child(cpu), only(cpu)};
	struct bound_to anew = {bound_child(cpu), only(cpu)};
	char before[64] = "", meanwhile[64] = "", after[64] = "";
	int interrupt = interrupt_bind(cpu), file = ring3_open();
	struct ring3 *self;

	check(becomes(is_bound_to, &stays) && becomes(is_bound_to, &anew),
	      "bound: two processes are bound to CPU %u", cpu);
	check(interrupt > 0 && interrupt_list(interrupt, before), "bound: interrupt %d, too: %s",
	      interrupt, before);
	self = ring3_take(file, cpu);
	check_descriptor(file, cpu);
	check(becomes(is_bound_otherwise, &stays) && becomes(is_bound_otherwise, &anew),
	      "bound: Linux lets them run elsewhere meanwhile");
	check(interrupt_list(interrupt, meanwhile) && strcmp(before, meanwhile) != 0,
	      "bound: and the interrupt: %s", meanwhile);
	anew.set = only(0);
	sched_setaffinity(anew.pid, sizeof(anew.set), &anew.set);
	ring3_give(self);
	check(is_bound_to(&stays), "bound: the process is bound to CPU %u again", cpu);
	check(is_bound_to(&anew), "bound: one that was bound to CPU 0 meanwhile stays there");
	check(interrupt_list(interrupt, after) && strcmp(before, after) == 0,
	      "bound: the interrupt is bound again: %s", after);
	close(file);
	kill(stays.pid, SIGKILL);
	kill(anew.pid, SIGKILL);
	while (wait(NULL) > 0)
		;
	return checks_failed();
}
