/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages to the program's standard error. A real-time CPU must not wait for a full pipe. So its
 * text goes through a ring of slots, which the housekeeper writes out. If no slot is free, or the
 * text is longer than a slot, the whole text is dropped and counted.
 */
#define _GNU_SOURCE

#include "print.h"

#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "arch/self.h"
#include "call.h"
#include "hal/hal.h"
#include "program.h"
#include "secondary/housekeeper.h"

#define SLOTS      16u
#define SLOT_BYTES 8192u

#define FINISH_TRIES    100u
#define FINISH_PAUSE_NS 1000000u

enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_FULL, SLOT_WRITING };

struct slot {
	_Atomic uint32_t state;
	uint32_t bytes, done; /* written out */
	char text[SLOT_BYTES];
};

static struct slot slots[SLOTS];
static _Atomic uint32_t next_slot;  /* the printing threads advance it */
static _Atomic uint32_t drain_slot; /* the draining threads advance it, in the order of printing */
static _Atomic uint32_t dropped;

void linux_print_now(const char *text, size_t bytes)
{
	while (bytes) {
		long done = call_write(2, text, bytes);

		if (done <= 0)
			return; /* no reader is left */
		text += done;
		bytes -= (size_t)done;
	}
}

void hal_print(const char *text, size_t bytes)
{
	const struct hal_self *self = hal_arch_self();
	uint32_t index, expected = SLOT_FREE;
	struct slot *slot;

	if (!self || self->kind != HAL_SELF_CPU) {
		linux_print_now(text, bytes);
		return;
	}
	if (bytes > SLOT_BYTES) {
		atomic_fetch_add(&dropped, 1);
		return;
	}
	index = atomic_load(&next_slot);
	do {
		slot = &slots[index % SLOTS];
		if (atomic_load(&slot->state) != SLOT_FREE) {
			atomic_fetch_add(&dropped, 1);
			return;
		}
	} while (!atomic_compare_exchange_weak(&next_slot, &index, index + 1));
	/* Only this thread has this use of the slot: its next use needs SLOTS more prints. */
	if (!atomic_compare_exchange_strong(&slot->state, &expected, SLOT_FILLING)) {
		atomic_fetch_add(&dropped, 1);
		return;
	}
	memcpy(slot->text, text, bytes);
	slot->bytes = (uint32_t)bytes;
	slot->done = 0;
	atomic_store(&slot->state, SLOT_FULL);
	linux_housekeeper_wake();
}

/* Is a write of a page done at once, or refused at once? */
static bool is_ready(void)
{
	struct pollfd error_output = {.fd = 2, .events = POLLOUT};

	return call3(SYS_poll, (long)&error_output, 1, 0) > 0;
}

/* False: the write would have to wait. */
static bool write_out(struct slot *slot, bool waits)
{
	while (slot->done < slot->bytes) {
		size_t part = slot->bytes - slot->done;
		long done;

		if (!waits && part > PIPE_BUF)
			part = PIPE_BUF;
		if (!waits && !is_ready())
			return false;
		done = call_write(2, slot->text + slot->done, part);
		if (done <= 0)
			return true; /* no reader is left */
		slot->done += (uint32_t)done;
	}
	return true;
}

/* Any number of threads may drain. Each text is written once, and the texts behind it wait for
 * it. */
bool linux_print_drain(bool waits)
{
	for (;;) {
		uint32_t index = atomic_load(&drain_slot);
		struct slot *slot = &slots[index % SLOTS];
		uint32_t expected = SLOT_FULL;

		if (!atomic_compare_exchange_strong(&slot->state, &expected, SLOT_WRITING))
			break;
		if (!write_out(slot, waits)) {
			atomic_store(&slot->state, SLOT_FULL);
			return false;
		}
		atomic_store(&drain_slot, index + 1);
		atomic_store(&slot->state, SLOT_FREE);
	}
	if (atomic_load(&dropped) && (waits || is_ready())) {
		char text[80];
		int length = snprintf(text, sizeof(text), "tactus: %u message(s) dropped\n",
				      atomic_exchange(&dropped, 0));

		linux_print_now(text, (size_t)length);
	}
	return true;
}

void linux_print_finish(void)
{
	for (unsigned tries = 0; tries < FINISH_TRIES; tries++) {
		const struct slot *slot;

		(void)linux_print_drain(true);
		slot = &slots[atomic_load(&drain_slot) % SLOTS];
		if (atomic_load(&slot->state) == SLOT_FREE)
			return;
		hal_linux_pause(FINISH_PAUSE_NS);
	}
}

/* All system calls are raw: the state of the C library may be what is broken. */
void linux_end(const char *record, int signal)
{
	static _Atomic bool again;
	const struct kernel_sigaction none = {.handler = SIG_DFL};
	const uint64_t only = LINUX_BIT(signal);

	if (!atomic_exchange(&again, true)) {
		(void)linux_print_drain(true);
		linux_print_now(record, strlen(record));
	}
	call_sigaction(signal, &none, NULL);
	call_sigmask(SIG_UNBLOCK, &only, NULL);
	call_tgkill((int)call3(SYS_getpid, 0, 0, 0), call_gettid(), signal);
	for (;;)
		call3(SYS_exit_group, 128 + signal, 0, 0);
}
