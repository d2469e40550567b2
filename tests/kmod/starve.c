/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux has no memory: starve CPU DEVICE. Each step of a program's life is repeated, and each time
 * the next one of its allocations fails, until none is left that could fail. Then the begun step is
 * undone, and the CPU comes back. Needs a kernel that fails on request (dev/checked_kernel.py), set
 * up by test_kmod.py. Source: Linux, Documentation/fault-injection/fault-injection.rst, fail-nth.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

#define BYTES (64u * TACT_BARE_PAGE)
#define MOST  150u

static struct {
	int file, fail;
	uint32_t cpu;
	const char *name;
	uint32_t device;
	uint8_t *memory;
	struct tact_bare_user *user;
	uint8_t *bar;
} life;

static uint64_t leave(struct ring3 *self)
{
	(void)self;
	return 0;
}

static int step_open(void)
{
	life.file = open(TACT_BARE_DEVICE, O_RDWR | O_CLOEXEC);
	return life.file < 0 ? -1 : 0;
}

static int step_hello(void)
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};

	return ioctl(life.file, TACT_BARE_HELLO, &hello);
}

static int step_memory(void)
{
	struct tact_bare_memory memory = {.address = (uintptr_t)life.memory, .bytes = BYTES};

	return ioctl(life.file, TACT_BARE_MEMORY_ADD, &memory);
}

static int step_attach(void)
{
	struct tact_bare_attach attach = {.lines = 1};
	int result;

	snprintf(attach.name, sizeof(attach.name), "%s", life.name);
	result = ioctl(life.file, TACT_BARE_ATTACH, &attach);
	life.device = attach.device;
	return result;
}

static int step_bar(void)
{
	life.bar = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, life.file,
			TACT_BARE_MAP_BAR(life.device, 0));
	return life.bar == MAP_FAILED ? -1 : 0;
}

static int step_dma(void)
{
	struct tact_bare_dma dma = {.device = life.device,
				    .address = (uintptr_t)life.memory,
				    .bytes = BYTES,
				    .device_address = 1u << 20};

	return ioctl(life.file, TACT_BARE_DMA_ADD, &dma);
}

static int step_take(void)
{
	struct tact_bare_take take = {.cpu = life.cpu};

	return ioctl(life.file, TACT_BARE_TAKE, &take);
}

static int step_user(void)
{
	life.user = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, life.file,
			 TACT_BARE_MAP_USER(0));
	return life.user == MAP_FAILED ? -1 : 0;
}

/* The image of this program and its stacks are missing, which ring 3 needs to leave, so it faults;
 * it is enough that it runs. */
static int step_run(void)
{
	struct tact_bare_start start = {.ip = (uintptr_t)leave, .sp = (uintptr_t)life.memory};
	struct tact_bare_run run = {0};

	return ioctl(life.file, TACT_BARE_START, &start) ?: ioctl(life.file, TACT_BARE_RUN, &run);
}

static int step_line(void)
{
	struct tact_bare_irq_line line = {.device = life.device};

	return ioctl(life.file, TACT_BARE_IRQ_LINE, &line);
}

static int step_remove(void)
{
	struct tact_bare_memory all = {.flags = TACT_BARE_MEMORY_ALL};

	return ioctl(life.file, TACT_BARE_MEMORY_REMOVE, &all);
}

static int step_give(void)
{
	return ioctl(life.file, TACT_BARE_GIVE, &(struct tact_bare_core){0});
}

static int unmap(void *page)
{
	return page && page != MAP_FAILED ? munmap(page, TACT_BARE_PAGE) : 0;
}

/* Linux may have no memory for this either: then the memory is still there. */
static int step_unmap(void)
{
	int result = unmap(life.user);

	if (!result)
		life.user = NULL;
	result = result ?: unmap(life.bar);
	if (!result)
		life.bar = NULL;
	return result;
}

static int step_detach(void)
{
	return ioctl(life.file, TACT_BARE_DETACH,
		     &(struct tact_bare_device){.device = life.device});
}

static int step_close(void)
{
	int result = life.file < 0 ? 0 : close(life.file);

	life.file = -1;
	return result;
}

/* spared: its own allocations do not fail. Without memory for taking a device from a domain of its
 * IOMMU, Linux has no way back: it warns, and the device is lost to all. */
static const struct {
	const char *name;
	int (*act)(void);
	bool spared;
} steps[] = {
	{"open", step_open, false},
	{"HELLO", step_hello, false},
	{"MEMORY_ADD", step_memory, false},
	{"ATTACH", step_attach, false},
	{"its memory", step_bar, false},
	{"DMA_ADD", step_dma, false},
	{"TAKE", step_take, false},
	{"the user part", step_user, false},
	{"RUN", step_run, false},
	{"LINE", step_line, false},
	{"MEMORY_REMOVE", step_remove, false},
	{"GIVE", step_give, false},
	{"munmap", step_unmap, false},
	{"DETACH", step_detach, true},
	{"TAKE anew", step_take, true},
	{"close", step_close, false},
};
#define STEPS (sizeof(steps) / sizeof(*steps))

static void fail_at(unsigned count)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", count);

	if (pwrite(life.fail, text, (size_t)length, 0) != length)
		check(false, "starve: fail-nth: %s", strerror(errno));
}

/* Has an allocation failed? */
static bool has_failed(void)
{
	char text[16] = "";
	bool failed = pread(life.fail, text, sizeof(text) - 1, 0) > 0 && atoi(text) == 0;

	fail_at(0);
	return failed;
}

/* Everything before the step succeeds. */
static bool live_until(size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (steps[i].act()) {
			check(false, "starve: %s before %s: %s", steps[i].name, steps[step].name,
			      strerror(errno));
			return false;
		}
	return true;
}

static void starve(size_t step)
{
	unsigned count, refused = 0;
	bool failed = true, back = true;
	int result = 0;

	for (count = 1; failed && back && count <= MOST; count++) {
		life.file = -1;
		if (!live_until(step))
			return;
		fail_at(count);
		result = steps[step].act();
		failed = has_failed();
		refused += result != 0;
		step_unmap();
		step_close();
		back = cpu_comes_back(life.cpu);
		progress("starve: %s, allocation %u", steps[step].name, count);
	}
	check(back && (failed || !result),
	      "starve: %s goes well (%d) but for %u of its %u allocations%s", steps[step].name,
	      result, refused, count - 2 + failed, failed ? ", of more" : "");
}

int case_starve(int count, char **words)
{
	if (count < 3)
		return 2;
	life.cpu = (uint32_t)atoi(words[1]);
	life.name = words[2];
	life.fail = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	life.memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	check(life.fail >= 0, "starve: this kernel fails on request");
	for (size_t step = 0; life.fail >= 0 && step < STEPS; step++)
		if (!steps[step].spared)
			starve(step);
	return checks_failed();
}
