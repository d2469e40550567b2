/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's own Linux calls. A Linux thread makes them at once. A core has no Linux: it sends
 * them to the doorbell's thread, with a copy of what their argument points to, and does not wait
 * for the result. So only calls are possible whose result does not matter: wake-ups, signals,
 * priorities, writes.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <string.h>

#include "arch/context.h"
#include "arch/core.h"
#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "device.h"

/* Which argument of a call is a pointer (-1: none), and to how many bytes. */
struct sendable {
	long number;
	int pointer;
	size_t bytes; /* 0: the next argument is the number */
};

static const struct sendable sendables[] = {
	{SYS_futex, -1, 0}, /* only to wake: no timeout, no second word */
	{SYS_write, 1, 0},
	{SYS_sched_setscheduler, 2, sizeof(struct sched_param)},
	{SYS_rt_tgsigqueueinfo, 3, sizeof(siginfo_t)},
	{SYS_tgkill, -1, 0},
};
_Static_assert(sizeof(siginfo_t) <= BARE_CALL_BYTES, "the signal fits into the record");

static const struct sendable *sendable_of(long number)
{
	for (size_t i = 0; i < sizeof(sendables) / sizeof(sendables[0]); i++)
		if (sendables[i].number == number)
			return &sendables[i];
	return NULL;
}

static long make(long number, const long arguments[6])
{
	register long d __asm__("r10") = arguments[3];
	register long e __asm__("r8") = arguments[4];
	register long f __asm__("r9") = arguments[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
			   "r"(d), "r"(e), "r"(f)
			 : "rcx", "r11", "memory");
	return result;
}

/* Dekker, with bare_calls_make(), which clears the word and then looks. */
static void ring(struct bare_calls *calls)
{
	if (!atomic_exchange(&calls->rung, 1))
		core_ring();
}

/*
 * The doorbell's thread has real-time priority on another CPU, so that a full ring has room again
 * in microseconds. The caller is stalled: one writer.
 */
static long send(struct bare_core *core, long number, const long arguments[6])
{
	const struct sendable *sendable = sendable_of(number);
	struct bare_calls *calls = core->calls;
	uint32_t in = atomic_load_explicit(&calls->in, memory_order_relaxed);
	struct bare_call *call = &calls->calls[in % BARE_CALLS];
	size_t bytes;

	if (!sendable)
		return -TACT_ENOSYS;
	/* Pairs with the release in bare_calls_make(): the slot has been read. */
	while (in - atomic_load_explicit(&calls->out, memory_order_acquire) >= BARE_CALLS)
		hal_arch_relax();
	call->number = number;
	memcpy(call->arguments, arguments, sizeof(call->arguments));
	if (sendable->pointer >= 0) {
		bytes = sendable->bytes ? sendable->bytes
					: (size_t)arguments[sendable->pointer + 1];
		if (bytes > BARE_CALL_BYTES)
			return -TACT_EINVAL;
		memcpy(call->data, (const void *)arguments[sendable->pointer], bytes);
		call->arguments[sendable->pointer] = (long)call->data;
	}
	atomic_store(&calls->in, in + 1);
	ring(calls);
	return 0;
}

long hal_arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	const long arguments[6] = {a, b, c, d, e, f};
	uint32_t was_stalled;
	struct hal_self *self;
	long result;

	self = hal_arch_self();
	if (!self || self->kind != HAL_SELF_CPU)
		return make(number, arguments);
	/* A task that is not in a section may be moved to its shadow until here; then it makes the
	 * call itself. */
	was_stalled = hal_arch_stall_exchange();
	self = hal_arch_self();
	if (self->kind != HAL_SELF_CPU) {
		self->stalled = was_stalled;
		return make(number, arguments);
	}
	result = send(bare_core_of((struct hal_cpu *)self), number, arguments);
	if (!was_stalled)
		hal_leave();
	return result;
}

/*
 * The whole core waits here, as threads wait for a page fault under Linux. If the page was mapped
 * already, and the same instruction lacks it again, it can never be served.
 */
enum bare_page bare_page_request(struct bare_core *core, uintptr_t address, uintptr_t ip,
				 uintptr_t room)
{
	struct bare_calls *calls = core->calls;
	uint32_t answer;

	calls->page_address = address;
	calls->room = room;
	atomic_store(&calls->page, BARE_PAGE_WANTED);
	ring(calls);
	while ((answer = atomic_load(&calls->page)) == BARE_PAGE_WANTED)
		hal_arch_relax();
	if (answer == BARE_PAGE_REFUSED ||
	    (answer == BARE_PAGE_THERE && core->served_ip == ip && core->served_address == address))
		return BARE_PAGE_REFUSED;
	if (answer == BARE_PAGE_NO_ROOM)
		return BARE_PAGE_NO_ROOM;
	core->served_ip = ip;
	core->served_address = address;
	core->page_faults += HAL_PAGE_FAULT_STEP;
	return answer;
}
