/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The doorbell's thread makes the Linux calls that cores have requested (call.c). */
#include "bare.h"

#include "arch/core.h"
#include "arch/self.h"
#include "back_end.h"
#include "device.h"

#define AWAIT_NS 20000u

static _Atomic bool is_served;
static _Atomic uint32_t awaiting;

void bare_calls_served(bool served)
{
	/* Dekker, with backend_calls_await(). */
	atomic_store(&is_served, served);
	while (!served && atomic_load(&awaiting) && !atomic_load(&linux_program.forked))
		hal_linux_pause(AWAIT_NS);
}

/* Requests are served in order. When `out` has reached this number, all requests from before this
 * call are done. */
static void await_core(const struct bare_calls *calls)
{
	const uint32_t asked = atomic_load(&calls->in);

	while ((int32_t)(asked - atomic_load(&calls->out)) > 0)
		hal_linux_pause(AWAIT_NS);
}

void backend_calls_await(void)
{
	atomic_fetch_add(&awaiting, 1);
	if (atomic_load(&is_served) && !atomic_load(&linux_program.forked))
		for (unsigned i = 0; i < linux_program.cpu_count; i++)
			await_core(bare_program.cores[i].calls);
	atomic_fetch_sub(&awaiting, 1);
}

static void page_add(struct bare_calls *calls)
{
	uint64_t pages = 0;
	int error = device_add((const void *)calls->page_address, 1, &pages);
	enum bare_page answer = error   ? BARE_PAGE_REFUSED
				: pages ? BARE_PAGE_ADDED
					: BARE_PAGE_THERE;

	if (!error && calls->room && device_add((const void *)calls->room, HAL_CORE_WAY_BACK, NULL))
		answer = BARE_PAGE_NO_ROOM;
	atomic_store(&calls->page, answer);
}

void bare_calls_make(struct bare_core *core)
{
	struct bare_calls *calls = core->calls;
	uint32_t out = atomic_load_explicit(&calls->out, memory_order_relaxed);

	atomic_store(&calls->rung, 0);
	if (atomic_load(&calls->page) == BARE_PAGE_WANTED)
		page_add(calls);
	while (out != atomic_load(&calls->in)) {
		const struct bare_call *call = &calls->calls[out % BARE_CALLS];
		const long *with = call->arguments;

		(void)hal_arch_syscall(call->number, with[0], with[1], with[2], with[3], with[4],
				       with[5]);
		atomic_store_explicit(&calls->out, ++out, memory_order_release);
	}
}
