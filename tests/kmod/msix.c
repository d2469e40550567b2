/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A device with several interrupts, each with its own message (MSI-X), with QEMU's e1000e, whose
 * registers raise causes by command: msix CPU NAME. Registers: Intel 82574 data sheet, 10.2.4. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

#define CAUSE_READ   0x00c0 /* ICR: written bits are cleared */
#define CAUSE_SET    0x00c8 /* ICS */
#define MASK_SET     0x00d0 /* IMS */
#define VECTORS      0x00e4 /* IVAR: four bits per cause, the highest of them: valid */
#define BAR_BYTES    0x20000
#define TABLE_BAR    3
#define LINES        4u
#define FIRST_EVENT  7
#define CAUSE(line)  (1u << (20 + (line)))
#define ALL_CAUSES   0x00f00000u
#define ROUNDS       50
#define EVENT_OF(id) TACT_BARE_EVENT_DEVICE(FIRST_EVENT + (id))

static struct {
	volatile uint8_t *registers;
} card;

static void put(uint32_t place, uint32_t value)
{
	*(volatile uint32_t *)(card.registers + place) = value;
}

/* Masked: events are only logged. An expected event comes within two seconds or never. */
static uint32_t await(struct ring3 *self, uint32_t wanted)
{
	uint64_t end = ring3_ticks() + self->info->ticks_khz * 2000ull;
	uint32_t seen = 0;

	while ((seen & wanted) != wanted && ring3_ticks() < end)
		seen |= __atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST);
	return seen;
}

/* The device postpones interrupts that follow each other within 128 us, and raises them again. */
static void settle(struct ring3 *self)
{
	uint64_t end = ring3_ticks() + self->info->ticks_khz * 3 / 10;

	while (ring3_ticks() < end)
		ring3_spin();
	__atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST);
}

/* Returns 0, or the events that came instead in the first failed round. */
static uint64_t drive(struct ring3 *self)
{
	put(VECTORS, 0xba98);
	put(MASK_SET, ALL_CAUSES);
	for (uint32_t round = 0; round < ROUNDS * LINES; round++) {
		uint32_t line = round % LINES, seen;

		settle(self);
		put(CAUSE_SET, CAUSE(line));
		seen = await(self, EVENT_OF(line));
		put(CAUSE_READ, ALL_CAUSES);
		if (seen != EVENT_OF(line))
			return (uint64_t)round << 32 | seen | 1;
	}
	return 0;
}

/* Line 1 is off; line 2 comes after it, so that there is an event to wait for. */
static uint64_t drive_without_one(struct ring3 *self)
{
	uint32_t seen;

	settle(self);
	put(CAUSE_SET, CAUSE(1));
	put(CAUSE_SET, CAUSE(2));
	seen = await(self, EVENT_OF(2));
	put(CAUSE_READ, ALL_CAUSES);
	return seen == EVENT_OF(2) ? 0 : seen | 1;
}

static void run(struct ring3 *self, uint64_t (*main)(struct ring3 *self), const char *what)
{
	int result;

	ring3_add_all(self->file);
	ring3_start(self, main);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 0,
	      "msix: %s: run %d reason %u cause %llx", what, result, self->run.reason,
	      (unsigned long long)self->run.cause);
}

int case_msix(int count, char **words)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, count > 1 ? (uint32_t)atoi(words[1]) : 1);
	struct tact_bare_attach device = {.lines = LINES};
	int result;

	snprintf(device.name, sizeof(device.name), "%s", count > 2 ? words[2] : "");
	result = ioctl(file, TACT_BARE_ATTACH, &device) ? -errno : 0;
	check(!result && device.lines == LINES && device.bar_bytes[0] == BAR_BYTES,
	      "msix: attached with %u lines (%d): %s", device.lines, result, device.reason);
	card.registers = mmap(NULL, BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			      TACT_BARE_MAP_BAR(device.device, 0));
	check(card.registers != MAP_FAILED, "msix: its registers are mapped: %s", strerror(errno));
	check(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		   TACT_BARE_MAP_BAR(device.device, TABLE_BAR)) == MAP_FAILED &&
		      errno == EACCES,
	      "msix: its table is not: %s", strerror(errno));
	for (uint32_t line = 0; line < LINES; line++) {
		struct tact_bare_irq_line aim = {.device = device.device,
						 .line = line,
						 .core = self->core,
						 .event = FIRST_EVENT + line};

		check(!ioctl(file, TACT_BARE_IRQ_LINE, &aim), "msix: line %u is aimed", line);
	}
	run(self, drive, "each line is an event of its own");
	check(self->info->interrupts >= ROUNDS * LINES, "msix: %llu interrupts",
	      (unsigned long long)self->info->interrupts);
	struct tact_bare_irq_line off = {
		.device = device.device, .line = 1, .flags = TACT_BARE_IRQ_LINE_OFF};

	check(!ioctl(file, TACT_BARE_IRQ_LINE, &off), "msix: a line is turned off");
	run(self, drive_without_one, "which comes no more");
	ring3_give(self);
	close(file);
	return checks_failed();
}
