/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The doorbell while Linux moves it: doorbell CPU OTHER. CPU is that of the core. The interrupt is
 * moved without a pause to OTHER, and away from it when it goes offline. No ring is lost for a
 * reader that checks again as bare.h says, and a core that is taken meanwhile knows where to ring.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cases.h"

#define MOVES   40
#define GOES    4
#define TAKES   10
#define LOOK_MS 250
#define LOOKS   20

static struct {
	int interrupt;
	uint32_t other;
	bool hotplug;
	_Atomic bool ends;
	_Atomic unsigned moves, goes;
} mover;

/* Linux shows each requested interrupt as a folder, with a folder of its handler's name. */
static int find_interrupt(void)
{
	struct dirent *entry;
	DIR *folder = opendir("/proc/irq");
	int found = -1;

	while (folder && (entry = readdir(folder))) {
		char path[384];

		snprintf(path, sizeof(path), "/proc/irq/%s/tactus", entry->d_name);
		if (!access(path, F_OK))
			found = atoi(entry->d_name);
	}
	if (folder)
		closedir(folder);
	return found;
}

static bool write_number(const char *path, unsigned number)
{
	FILE *file = fopen(path, "w");
	bool done;

	if (!file)
		return false;
	fprintf(file, "%u\n", number);
	done = !ferror(file);
	return fclose(file) == 0 && done;
}

static bool move_to(uint32_t cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity_list", mover.interrupt);
	return write_number(path, cpu);
}

static void *move_about(void *data)
{
	char online[64];

	(void)data;
	snprintf(online, sizeof(online), "/sys/devices/system/cpu/cpu%u/online", mover.other);
	for (unsigned turn = 0; !mover.ends; turn++) {
		mover.moves += move_to(mover.other);
		usleep(500);
		/* This moves it, too. */
		if (mover.hotplug && turn % 16 == 0) {
			mover.goes += write_number(online, 0);
			write_number(online, 1);
		}
		mover.moves += move_to(0);
		usleep(500);
	}
	return NULL;
}

static pthread_t move_begin(bool hotplug)
{
	pthread_t thread;

	mover.ends = false;
	mover.hotplug = hotplug;
	pthread_create(&thread, NULL, move_about, NULL);
	return thread;
}

static void move_end(pthread_t thread)
{
	mover.ends = true;
	pthread_join(thread, NULL);
}

static _Atomic bool enough;

static uint64_t ring_when_kicked(struct ring3 *self)
{
	while (!enough) {
		ring3_call(TACT_BARE_CALL_HALT, 0);
		__atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST);
		self->kicks_seen++;
		ring3_call(TACT_BARE_CALL_DOORBELL, 0);
	}
	return 7;
}

/* Counts the checks that found nothing. */
static bool is_rung(int file, unsigned *in_vain)
{
	struct pollfd wait = {.fd = file, .events = POLLIN};
	uint64_t cores = 0;

	for (int look = 0; look < LOOKS; look++) {
		if (poll(&wait, 1, LOOK_MS) == 1)
			return read(file, &cores, sizeof(cores)) == sizeof(cores) && cores == 1;
		++*in_vain;
	}
	return false;
}

static void check_rings(int file, uint32_t cpu)
{
	struct tact_bare_kick kick = {.cores = 1};
	struct ring3 *self = ring3_take(file, cpu);
	unsigned kicks = 0, rings = 0, in_vain = 0, cpus;
	pthread_t thread;

	ring3_add_all(file);
	ring3_start(self, ring_when_kicked);
	owner_begin(self);
	thread = move_begin(true);
	while (rings == kicks && (mover.moves < MOVES || mover.goes < GOES)) {
		kicks += !ioctl(file, TACT_BARE_KICK, &kick);
		rings += is_rung(file, &in_vain);
	}
	move_end(thread);
	check(kicks && rings == kicks,
	      "doorbell: %u of %u rings came (%u looks in vain), through %u moves; its CPU went "
	      "away "
	      "%u times",
	      rings, kicks, in_vain, mover.moves, mover.goes);
	enough = true;
	ioctl(file, TACT_BARE_KICK, &kick);
	check(!owner_end(self) && self->run.cause == 7, "doorbell: and the program ends");
	interrupts_heard(mover.interrupt, &cpus);
	check(cpus > 1, "doorbell: %u CPUs of Linux's heard it", cpus);
	ring3_give(self);
}

static uint64_t ring_once(struct ring3 *self)
{
	ring3_call(TACT_BARE_CALL_DOORBELL, 0);
	return self->core + 1;
}

/* By interrupts alone: a repeated check would find the ring anyway. */
static void check_takes(int file, uint32_t cpu)
{
	unsigned knew = 0, cpus;

	for (int i = 0; i < TAKES; i++) {
		pthread_t thread = move_begin(false);
		struct ring3 *self = ring3_take(file, cpu);
		unsigned long before;
		uint64_t cores;

		move_end(thread);
		before = interrupts_heard(mover.interrupt, &cpus);
		ring3_add_all(file);
		ring3_start(self, ring_once);
		if (!ring3_run(self) && self->run.cause == 1 &&
		    read(file, &cores, sizeof(cores)) == sizeof(cores))
			knew += interrupts_heard(mover.interrupt, &cpus) > before;
		ring3_give(self);
	}
	check(knew == TAKES, "doorbell: %u of %u cores that were taken meanwhile rang it", knew,
	      TAKES);
}

int case_doorbell(int count, char **words)
{
	int file = ring3_open();
	uint32_t cpu;

	if (count < 3)
		return 2;
	cpu = (uint32_t)atoi(words[1]);
	mover.other = (uint32_t)atoi(words[2]);
	mover.interrupt = find_interrupt();
	check(mover.interrupt >= 0, "doorbell: it is interrupt %d", mover.interrupt);
	check_rings(file, cpu);
	check_takes(file, cpu);
	check(cpu_is_online(cpu) && cpu_is_online(mover.other), "doorbell: all CPUs are back");
	close(file);
	return checks_failed();
}
