/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A driver: QEMU's educational device (docs/specs/edu.rst of QEMU) computes a factorial and copies
 * memory to itself and back, and interrupts when it is done. Its registers are read and written
 * in place; the handler asks it why it interrupted, and wakes the task that waits for it.
 *
 * usage: edu [ADDRESS]   (of the device, else 0000:00:04.0)
 *
 * Devices want bare cores, and one that is bound to the module (kmod/README.md); elsewhere the
 * program says why there is none.
 */
#include "example.h"

enum edu_register {
	EDU_FACTORIAL = 0x08,
	EDU_STATUS = 0x20,
	EDU_CAUSE = 0x24,
	EDU_ACKNOWLEDGE = 0x64,
	EDU_FROM = 0x80,
	EDU_TO = 0x88,
	EDU_BYTES = 0x90,
	EDU_COMMAND = 0x98,
	EDU_BUFFER = 0x40000, /* not a register: its memory, as its DMA sees it */
};

#define STATUS_INTERRUPT  0x80u
#define COMMAND_START     1u
#define COMMAND_TO_HOST   2u
#define COMMAND_INTERRUPT 4u
#define BYTES             1024u
#define WHERE             0x1000000u /* of the page, for the device, which has 28 bits */

static const char *address = "0000:00:04.0";
static volatile char *registers;
static tact_sem_t done;
static char page[4096] __attribute__((aligned(4096)));

static uint32_t get(enum edu_register place)
{
	return *(volatile uint32_t *)(registers + place);
}

static void put(enum edu_register place, uint32_t value)
{
	*(volatile uint32_t *)(registers + place) = value;
}

static void put_long(enum edu_register place, uint64_t value)
{
	*(volatile uint64_t *)(registers + place) = value;
}

static void handle(void *unused)
{
	uint32_t cause = get(EDU_CAUSE);

	(void)unused;
	if (!cause)
		return;
	put(EDU_ACKNOWLEDGE, cause);
	expect(tact_sem_post(done), "post");
}

static void copy(uint64_t from, uint64_t to, uint64_t direction)
{
	put_long(EDU_FROM, from);
	put_long(EDU_TO, to);
	put_long(EDU_BYTES, BYTES);
	put_long(EDU_COMMAND, COMMAND_START | COMMAND_INTERRUPT | direction);
	expect(tact_sem_wait(done, tact_in(1000000000)), "the device's interrupt");
}

static void drive(tact_device_t device)
{
	struct tact_interrupt_info info = {0};
	uint64_t seen = WHERE;
	tact_interrupt_t interrupt;
	char text[64];

	expect(tact_device_map(device, 0, 0, 1u << 20, (void **)(uintptr_t)&registers), "map");
	expect(tact_device_dma_add(device, page, sizeof(page), 0, &seen), "memory");
	expect(tact_sem_create("done", 0, 1, 0, &done), "semaphore");
	expect(tact_interrupt_create("edu.done", device, 0, handle, NULL, 0, &interrupt),
	       "interrupt");

	put(EDU_STATUS, STATUS_INTERRUPT);
	put(EDU_FACTORIAL, 10);
	expect(tact_sem_wait(done, tact_in(1000000000)), "the device's interrupt");
	snprintf(text, sizeof(text), "10! is %u", get(EDU_FACTORIAL));
	note(text);

	for (unsigned i = 0; i < BYTES; i++)
		page[i] = (char)(i * 7);
	copy(seen, EDU_BUFFER, 0);
	copy(EDU_BUFFER, seen + BYTES, COMMAND_TO_HOST);
	note(memcmp(page, page + BYTES, BYTES) ? "what came back differs"
					       : "what came back is what went");
	expect(tact_interrupt_inquire(interrupt, &info), "inquire");
	snprintf(text, sizeof(text), "runs of the handler: %d", (int)info.runs);
	note(text);
	expect(tact_interrupt_delete(interrupt), "delete");
}

static void direct(void *unused)
{
	char reason[TACT_REASON_BYTES];
	tact_device_t device;

	(void)unused;
	if (tact_device_open("edu", address, 1, &device, reason)) {
		note(reason);
		return;
	}
	drive(device);
	expect(tact_device_close(device), "close");
}

int main(int count, char **words)
{
	if (count > 1)
		address = words[1];
	return run(1, direct);
}
