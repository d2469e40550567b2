/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls on the processor, its clock, its tools, a device, and what Linux threads do with a pipe;
 * and those that keep no processor from its events at all.
 */
#include "walk.h"

#include <hal/sim.h>

#include <tactus/timer.h>
#include <tactus/device.h>
#include <tactus/doorbell.h>
#include <tactus/fault.h>
#include <tactus/pipe.h>
#include <tactus/sched.h>
#include <tactus/skin.h>
#include <tactus/stat.h>
#include <tactus/watch.h>

#define TIMERS 100000u
#define DEVICE "0000:00:04.0"

static tact_pipe_t pipe;
static tact_timer_t timer;

static void on_timer(void *unused)
{
	struct tact_timer_expiry expiry = {0};

	(void)unused;
	(void)tact_timer_expiry(&expiry);
}

static void clocks(void *unused)
{
	const uint64_t wall_ns = tact_wall_now().ns;
	struct tact_timer_info info = {0};

	(void)unused;
	for (uint32_t i = 0; i < TIMERS; i++) {
		tact_time_t at = {wall_ns + (1000 + i) * TEST_MS};

		expect_ok(tact_timer_create(NULL, on_timer, NULL, 0, &timer));
		expect_ok(tact_timer_start(timer, tact_at_wall(at), 0));
	}
	COUNT_VALUE("tact_now", tact_now());
	COUNT_VALUE("tact_wall_now", tact_wall_now());
	COUNT("tact_timer_inquire", tact_timer_inquire(timer, &info));
	COUNT("tact_timer_delete", tact_timer_delete(timer));
	COUNT_VALUE("tact_timer_expiry", on_timer(NULL));
	COUNT("tact_wall_set", tact_wall_set((tact_time_t){wall_ns + 1000000 * TEST_MS}));
}

static void wait_for_good(void *unused)
{
	(void)unused;
	(void)tact_task_sleep_until(TEST_LONG);
}

static void tools(void *unused)
{
	struct tact_cpu_info cpu = {0};
	struct tact_sched_limits limits = {0};
	struct tact_watch watch = {.fd = 0};
	struct tact_fault_action former;
	char from[4096] = "", to[4096];
	uint64_t mask;

	(void)unused;
	walk_spawn(wait_for_good, WAITERS);
	COUNT("tact_cpu_inquire", tact_cpu_inquire(0, &cpu));
	COUNT_VALUE("tact_cpus", tact_cpus());
	COUNT_VALUE("tact_program", tact_program());
	COUNT_VALUE("tact_mode", tact_mode());
	COUNT_VALUE("tact_task_self", tact_task_self());
	COUNT("tact_trace_enable", tact_trace_enable(0, 1));
	COUNT("tact_trace_mark", tact_trace_mark(1, 2));
	COUNT("tact_sched_limits", tact_sched_limits(&limits));
	COUNT("tact_task_relax", tact_task_relax());
	COUNT("tact_task_harden", tact_task_harden());
	/* The back end's alone, and of no section: virtual time has no descriptors to watch. */
	COUNT_ERROR("tact_task_watch", TACT_ENOTSUP, tact_task_watch(&watch));
	COUNT("tact_task_unwatch", tact_task_unwatch(&watch));
	COUNT("tact_task_signal_mask", tact_task_signal_mask(&mask));
	COUNT("tact_on_switch", (tact_on_switch(NULL), 0));
	COUNT("tact_on_handlers", (tact_on_handlers(NULL), 0));
	COUNT("tact_on_stop", (tact_on_stop(NULL), 0));
	COUNT("tact_compute", (tact_compute(TEST_MS), 0));
	COUNT("tact_copy", tact_copy(to, from, sizeof(to)) != 0);
	/* The same: no fault comes in virtual time. */
	COUNT_ERROR("tact_fault_action", TACT_EPERM, tact_fault_action(8, NULL, &former));
}

static void on_interrupt(void *unused)
{
	(void)unused;
}

static void devices(void *unused)
{
	static _Alignas(4096) uint64_t memory[8192];
	struct hal_sim_device has = {
		.name = DEVICE,
		.lines = 2,
		.translated = true,
		.address_bits = 28,
		.bar = {memory},
		.bar_bytes = {sizeof(memory)},
	};
	struct tact_device_info device = {0};
	struct tact_interrupt_info interrupt = {0};
	char reason[TACT_REASON_BYTES];
	tact_device_t opened;
	tact_interrupt_t line;
	uint64_t address = 0;
	struct tact_doorbell *doorbell = NULL;
	uint32_t word = 0;
	void *mapped;
	int file;

	(void)unused;
	expect_ok(hal_sim_device_add(&has));
	COUNT("tact_device_open", tact_device_open(NULL, DEVICE, 2, &opened, reason));
	COUNT("tact_device_inquire", tact_device_inquire(opened, &device));
	COUNT("tact_device_map", tact_device_map(opened, 0, 0, 4096, &mapped));
	COUNT("tact_device_dma_add",
	      tact_device_dma_add(opened, memory, sizeof(memory), 0, &address));
	COUNT("tact_interrupt_create",
	      tact_interrupt_create(NULL, opened, 0, on_interrupt, NULL, 0, &line));
	COUNT_ERROR("tact_interrupt_wait", TACT_EAGAIN, tact_interrupt_wait(line, TACT_NOWAIT));
	COUNT("tact_interrupt_disable", tact_interrupt_disable(line));
	COUNT("tact_interrupt_enable", tact_interrupt_enable(line));
	COUNT("tact_interrupt_inquire", tact_interrupt_inquire(line, &interrupt));
	COUNT("tact_interrupt_delete", tact_interrupt_delete(line));
	COUNT("tact_device_dma_remove", tact_device_dma_remove(opened, address, sizeof(memory)));
	/* Virtual time has no other process that could ring. */
	COUNT_ERROR("tact_doorbell_file", TACT_EINVAL, tact_doorbell_file(opened, &file));
	COUNT_ERROR("tact_doorbell_attach", TACT_ENOTSUP, tact_doorbell_attach(0, &doorbell));
	COUNT_VALUE("tact_doorbell_ring", tact_doorbell_ring(doorbell));
	COUNT_VALUE("tact_wake_shared", tact_wake_shared(&word));
	COUNT_VALUE("tact_doorbell_detach", tact_doorbell_detach(doorbell));
	COUNT("tact_device_close", tact_device_close(opened));
}

static void read_pipe(void *unused)
{
	char byte;

	(void)unused;
	/* Too little room for the message: it remains for the next read. */
	(void)tact_pipe_read(pipe, &byte, 1, TEST_LONG);
}

/* In the thread that started the program. */
static void pipe_ends(void)
{
	static char data[4096];
	char address[64];
	struct tact_pipe_end *end;

	expect_ok(tact_pipe_create(NULL, 65536, TACT_PRIO, &pipe));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		(void)test_spawn_light(10, read_pipe, NULL);
	settle();
	COUNT_HERE("tact_pipe_open", 0, tact_pipe_open(pipe, &end));
	COUNT_HERE("tact_pipe_end_write", 0,
		   tact_pipe_end_write(end, data, sizeof(data), TACT_NOWAIT));
	expect_ok(tact_pipe_write(pipe, "12345678", 8, TACT_NOWAIT));
	COUNT_HERE("tact_pipe_end_read", 0, tact_pipe_end_read(end, data, 8, TACT_NOWAIT));
	COUNT_HERE("tact_pipe_end_deleted", 0, tact_pipe_end_deleted(end));
	COUNT_HERE("tact_pipe_close", 0, tact_pipe_close(end));
	/* Virtual time has no other process to serve. */
	COUNT_HERE("tact_pipe_serve", TACT_ENOTSUP,
		   tact_pipe_serve(pipe, address, sizeof(address)));
	COUNT_HERE("tact_pipe_delete, by Linux", 0, tact_pipe_delete(pipe));
}

static void attachment(void)
{
	COUNT("tact_task_attach", tact_task_attach(NULL, NULL));
	COUNT_HERE("tact_task_detach", 0, tact_task_detach());
}

WALK(clocks)
WALK(tools)
WALK(devices)
TEST_UNSTARTED(longest_sections_of_pipe_ends)
{
	walk_run_in_linux(pipe_ends);
}
TEST_UNSTARTED(longest_sections_of_attachment)
{
	walk_run_in_linux(attachment);
}
