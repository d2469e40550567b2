/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A device's interrupts, memory and DMA on a core, with QEMU's educational device (its manual:
 * docs/specs/edu.rst): edu CPU NAME KIND. KIND: translated, physical or refused, for what confines
 * the device there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

#define EVENT    5
#define TIMES    200
#define PLACE    0x4000000 /* the page's address for the device: it has 28 bits */
#define EDU_SEEN 0xedu

enum edu_register {
	EDU_IDENTITY = 0x00,
	EDU_LIVE = 0x04,
	EDU_FACTORIAL = 0x08,
	EDU_STATUS = 0x20,
	EDU_CAUSE = 0x24,
	EDU_RAISE = 0x60,
	EDU_LOWER = 0x64,
	EDU_FROM = 0x80,
	EDU_TO = 0x88,
	EDU_BYTES = 0x90,
	EDU_COMMAND = 0x98,
	EDU_BUFFER = 0x40000,
};

#define STATUS_RAISE    0x80u
#define COMMAND_START   1u
#define COMMAND_TO_RAM  2u
#define COMMAND_RAISE   4u
#define CAUSE_FACTORIAL 1u
#define CAUSE_DMA       0x100u
#define BACK_PLACE      (PLACE + 2048)

static struct edu {
	volatile uint8_t *registers;
	uint64_t place; /* the page's address for the device */
	uint64_t raised;
	uint64_t entry_min, entry_max, entry_sum;    /* from raising it to the first instruction
						      * of ring 0 */
	uint64_t upcall_min, upcall_max, upcall_sum; /* to the first instruction of the upcall */
	_Atomic uint32_t causes;
} edu;

static uint32_t get(enum edu_register place)
{
	return *(volatile uint32_t *)(edu.registers + place);
}

static void put(enum edu_register place, uint32_t value)
{
	*(volatile uint32_t *)(edu.registers + place) = value;
}

static void put64(enum edu_register place, uint64_t value)
{
	*(volatile uint64_t *)(edu.registers + place) = value;
}

static void note(uint64_t value, uint64_t *min, uint64_t *max, uint64_t *sum)
{
	*min = value < *min ? value : *min;
	*max = value > *max ? value : *max;
	*sum += value;
}

/* In the upcall: read the device's state, and acknowledge the interrupt. */
static void interrupt(struct ring3 *self, uint64_t ticks)
{
	uint32_t cause = get(EDU_CAUSE);

	if (ticks && edu.raised) {
		note(self->user->frame[TACT_BARE_UP_EVENT].ticks - edu.raised, &edu.entry_min,
		     &edu.entry_max, &edu.entry_sum);
		note(ticks - edu.raised, &edu.upcall_min, &edu.upcall_max, &edu.upcall_sum);
	}
	put(EDU_LOWER, cause);
	edu.causes |= cause;
}

static bool wait_cause(struct ring3 *self, uint32_t cause)
{
	uint64_t end = ring3_ticks() + self->info->ticks_khz * 2000ull;

	while (!(edu.causes & cause))
		if (ring3_ticks() > end)
			return false;
	edu.causes = 0;
	return true;
}

/* Each of the device's three uses; returns the number of the first one that fails. */
static uint64_t drive(struct ring3 *self)
{
	ring3_unmask(self);
	for (int i = 0; i < TIMES; i++) {
		edu.raised = ring3_ticks();
		put(EDU_RAISE, EDU_SEEN);
		if (!wait_cause(self, EDU_SEEN))
			return 1;
	}
	edu.raised = 0;
	put(EDU_STATUS, STATUS_RAISE);
	put(EDU_FACTORIAL, 10);
	if (!wait_cause(self, CAUSE_FACTORIAL) || get(EDU_FACTORIAL) != 3628800)
		return 2;
	put64(EDU_FROM, edu.place);
	put64(EDU_TO, EDU_BUFFER);
	put64(EDU_BYTES, 1024);
	put64(EDU_COMMAND, COMMAND_START | COMMAND_RAISE);
	if (!wait_cause(self, CAUSE_DMA))
		return 3;
	put64(EDU_FROM, EDU_BUFFER);
	put64(EDU_TO, edu.place + 2048);
	put64(EDU_COMMAND, COMMAND_START | COMMAND_RAISE | COMMAND_TO_RAM);
	if (!wait_cause(self, CAUSE_DMA))
		return 4;
	return 0;
}

/* One transfer to the page, which the device may not reach any more. */
static uint64_t write_memory(struct ring3 *self)
{
	ring3_unmask(self);
	put64(EDU_FROM, EDU_BUFFER);
	put64(EDU_TO, edu.place + 2048);
	put64(EDU_BYTES, 1024);
	put64(EDU_COMMAND, COMMAND_START | COMMAND_RAISE | COMMAND_TO_RAM);
	return wait_cause(self, CAUSE_DMA) ? 0 : 3;
}

static void run(struct ring3 *self, uint64_t (*main)(struct ring3 *self), const char *what)
{
	int result;

	edu.causes = 0;
	ring3_start(self, main);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 0,
	      "edu: %s: run %d reason %u cause %llu", what, result, self->run.reason,
	      (unsigned long long)self->run.cause);
}

static int attach(int file, const char *name, struct tact_bare_attach *attach)
{
	*attach = (struct tact_bare_attach){.lines = 4};
	snprintf(attach->name, sizeof(attach->name), "%s", name);
	return ioctl(file, TACT_BARE_ATTACH, attach) ? -errno : 0;
}

static int dma(int file, uint32_t device, void *page, uint64_t place, unsigned long request)
{
	struct tact_bare_dma memory = {.device = device,
				       .address = (uint64_t)page,
				       .bytes = TACT_BARE_PAGE,
				       .device_address = place};
	int result = ioctl(file, request, &memory) ? -errno : 0;

	if (result && memory.reason[0])
		printf("# %s\n", memory.reason);
	if (!result)
		edu.place = memory.device_address;
	return result;
}

static void check_refusals(int file, const char *name, void *page, bool translated)
{
	struct tact_bare_attach second;
	struct tact_bare_irq_line line = {.line = 1};
	int result = attach(file, name, &second);

	check(result == -EBUSY && second.reason[0], "edu: a second attachment: %s", second.reason);
	result = attach(file, "0000:00:00.0", &second);
	check(result == -ENODEV && second.reason[0], "edu: not bound: %s", second.reason);
	result = ioctl(file, TACT_BARE_IRQ_LINE, &line) ? -errno : 0;
	check(result == -ENXIO, "edu: a line that it has not: %d", result);
	result = ioctl(file, TACT_BARE_DETACH, &(struct tact_bare_device){.device = 7});
	check(result == -1 && errno == ENXIO, "edu: no such device: %d", errno);
	result =
		mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, TACT_BARE_MAP_BAR(0, 1)) == MAP_FAILED
			? -errno
			: 0;
	check(result == -EINVAL, "edu: a BAR that it has not: %d", result);
	if (!translated)
		return;
	result = dma(file, 0, page, 0xfee00000, TACT_BARE_DMA_ADD);
	check(result == -ERANGE, "edu: memory where interrupts are written to: %d", result);
	result = dma(file, 0, (void *)0x10000, PLACE + 4096, TACT_BARE_DMA_ADD);
	check(result == -EFAULT, "edu: memory that is not there: %d", result);
}

static void drive_all(int file, struct ring3 *self, const char *name, bool translated)
{
	struct tact_bare_attach device;
	struct tact_bare_irq_line line = {.event = EVENT};
	uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	int result = attach(file, name, &device);

	check(!result, "edu: attached (%d): %s", result, device.reason);
	check(device.lines == 1 && device.bar_bytes[0] == 1 << 20 && !device.bar_bytes[1] &&
		      device.dma ==
			      (translated ? TACT_BARE_DMA_TRANSLATED : TACT_BARE_DMA_PHYSICAL),
	      "edu: %u lines, BAR of %llu bytes, DMA of kind %u", device.lines,
	      (unsigned long long)device.bar_bytes[0], device.dma);
	edu.registers = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			     TACT_BARE_MAP_BAR(device.device, 0));
	check(edu.registers != MAP_FAILED, "edu: its memory is mapped: %s", strerror(errno));
	check((get(EDU_IDENTITY) & 0xffff) == 0xed, "edu: it says who it is: %x",
	      get(EDU_IDENTITY));
	line.device = device.device;
	line.core = self->core;
	check(!ioctl(file, TACT_BARE_IRQ_LINE, &line), "edu: its interrupt is aimed at the core");
	result = dma(file, device.device, page, translated ? PLACE : 0, TACT_BARE_DMA_ADD);
	check(!result, "edu: it may reach a page, at %llx (%d)", (unsigned long long)edu.place,
	      result);
	check_refusals(file, name, page, translated);
	for (unsigned i = 0; i < 1024; i++)
		page[i] = (uint8_t)(i * 7);

	edu.entry_min = edu.upcall_min = UINT64_MAX;
	self->on_event = interrupt;
	ring3_add_all(file);
	run(self, drive, "interrupts, factorial, DMA both ways");
	check(memcmp(page, page + 2048, 1024) == 0 && page[1023] == (uint8_t)(1023 * 7),
	      "edu: what came back is what went");
	check(self->info->interrupts >= TIMES + 3, "edu: interrupts are counted: %llu",
	      (unsigned long long)self->info->interrupts);
	printf("# written to ring 0: %llu/%llu/%llu ticks, to the upcall: %llu/%llu/%llu\n",
	       (unsigned long long)edu.entry_min, (unsigned long long)edu.entry_sum / TIMES,
	       (unsigned long long)edu.entry_max, (unsigned long long)edu.upcall_min,
	       (unsigned long long)edu.upcall_sum / TIMES, (unsigned long long)edu.upcall_max);

	result = ioctl(file, TACT_BARE_DETACH, &(struct tact_bare_device){device.device, 0});
	check(result == -1 && errno == EBUSY, "edu: not detached while it is mapped");
	if (translated) {
		result = dma(file, device.device, page, edu.place, TACT_BARE_DMA_REMOVE);
		check(!result, "edu: the page is taken from it (%d)", result);
		memset(page + 2048, 0, 1024);
		run(self, write_memory, "a transfer to the page that was taken away");
		check(page[2048] == 0 && page[3071] == 0, "edu: which it did not reach");
	}
	line.flags = TACT_BARE_IRQ_LINE_OFF;
	check(!ioctl(file, TACT_BARE_IRQ_LINE, &line), "edu: its interrupt is off");
	munmap((void *)(uintptr_t)edu.registers, 1 << 20);
	result = ioctl(file, TACT_BARE_DETACH, &(struct tact_bare_device){device.device, 0});
	check(!result, "edu: detached");
	munmap(page, 4096);
}

/* The core ends while an interrupt is aimed at it, and the program while it has a device. */
static void leave_attached(int file, struct ring3 *self, const char *name)
{
	struct tact_bare_attach device;
	struct tact_bare_irq_line line = {0};
	int result = attach(file, name, &device);

	line.device = device.device;
	line.core = self->core;
	check(!result && !ioctl(file, TACT_BARE_IRQ_LINE, &line), "edu: attached anew and aimed");
	edu.registers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			     TACT_BARE_MAP_BAR(device.device, 0));
	ring3_give(self);
	put(EDU_RAISE, EDU_SEEN);
	check(get(EDU_CAUSE) == EDU_SEEN, "edu: an interrupt after the core is gone");
	close(file);
	munmap((void *)(uintptr_t)edu.registers, 4096);
	file = ring3_open();
	result = attach(file, name, &device);
	check(!result, "edu: free again with the program's file (%d): %s", result, device.reason);
	close(file);
}

int case_edu(int count, char **words)
{
	int file = ring3_open();
	struct ring3 *self;
	struct tact_bare_attach device;

	if (count < 4)
		return 2;
	if (strcmp(words[3], "refused") == 0) {
		int result = attach(file, words[2], &device);

		check(result == -EPERM && device.reason[0], "edu: refused: %s", device.reason);
		return checks_failed();
	}
	self = ring3_take(file, (uint32_t)atoi(words[1]));
	drive_all(file, self, words[2], strcmp(words[3], "translated") == 0);
	leave_attached(file, self, words[2]);
	return checks_failed();
}
