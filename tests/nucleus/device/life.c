/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a device gets and gives back: memory of both sides, lines, and what is left at a deletion, a
 * close and a stop. */
#include "machine.h"

static _Alignas(4096) char page[2 * PAGE];
static tact_device_t device;
static tact_interrupt_t interrupt;
static _Atomic int running;

TASK_TEST(registers_and_memory_are_shared_with_the_device)
{
	struct tact_device_info info = {0};
	volatile uint32_t *registers;
	uint64_t address = 0x4000000;

	machine_make(NULL);
	expect_ok(tact_device_open("edu", DEVICE, 1, &device, NULL));
	expect_ok(tact_device_inquire(device, &info));
	expect_str(info.name, "edu");
	expect_str(info.address, DEVICE);
	expect_eq(info.irq_lines, 1);
	expect_eq(info.translated, 1);
	expect_eq(info.bar_bytes[0], 2 * PAGE);
	expect_eq(info.bar_bytes[1], 0);
	expect_ok(tact_device_map(device, 0, PAGE, PAGE, (void **)(uintptr_t)&registers));
	machine_bar[PAGE / 8] = 77;
	expect_eq(registers[0], 77);
	expect_ok(tact_device_dma_add(device, page, PAGE, 0, &address));
	expect_eq(address, 0x4000000);
	*(char *)hal_sim_dma(DEVICE, address + 5) = 5;
	expect_eq(page[5], 5);
	expect_true(!hal_sim_dma(DEVICE, address + PAGE));
	expect_ok(tact_device_dma_remove(device, address, PAGE));
	expect_true(!hal_sim_dma(DEVICE, address));
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_device_close(device));
}

TEST(close_takes_everything_back_and_the_device_can_be_had_again)
{
	uint64_t address = 0;

	machine_make(NULL);
	for (int i = 0; i < 20; i++) {
		device = machine_open();
		expect_ok(tact_device_dma_add(device, page, PAGE, 0, &address));
		expect_ok(tact_device_close(device));
		expect_true(!hal_sim_dma(DEVICE, address));
	}
}

static void never(void *unused)
{
	(void)unused;
	mark("never");
}

TEST(interrupts_of_a_closed_device_come_no_more_and_are_deleted_later)
{
	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create(NULL, device, 0, never, NULL, 0, &interrupt));
	expect_ok(tact_device_close(device));
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_interrupt_enable(interrupt));
	expect_ok(tact_interrupt_delete(interrupt));
	/* The next user of the device has other interrupts. */
	device = machine_open();
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_device_close(device));
	expect_marks("");
}

static void run_long(void *unused)
{
	(void)unused;
	mark("begin");
	running = 1;
	tact_compute(20 * TEST_MS);
	mark("end");
}

TEST_CPUS(2, deletion_waits_for_the_handler_that_runs)
{
	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create("busy", device, 0, run_long, NULL, TACT_ON_CPU(1),
					&interrupt));
	hal_sim_interrupt(DEVICE, 0);
	while (!running)
		expect_ok(tact_interrupt_inquire(interrupt, NULL));
	hal_sim_interrupt(DEVICE, 0);
	expect_ok(tact_interrupt_delete(interrupt));
	mark("deleted");
	hal_sim_interrupt(DEVICE, 0);
	expect_marks("begin end deleted");
	expect_error(tact_interrupt_inquire(interrupt, NULL), TACT_EIDRM);
	/* The line is free. */
	expect_ok(tact_interrupt_create(NULL, device, 0, never, NULL, 0, NULL));
}

TEST(stop_gives_back_what_the_program_left)
{
	uint64_t address = 0;

	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create("left", device, 0, never, NULL, 0, NULL));
	expect_ok(tact_device_dma_add(device, page, PAGE, 0, &address));
	expect_ok(tact_stop());
	expect_true(!hal_sim_dma(DEVICE, address));
	expect_error(tact_device_open(NULL, DEVICE, 1, NULL, NULL), TACT_EPERM);
	expect_ok(test_start(NULL, NULL));
	expect_ok(tact_device_open("left", DEVICE, 1, NULL, NULL));
}

static void use(void *unused)
{
	uint64_t address = 0x1000;

	(void)unused;
	expect_ok(tact_device_open("edu", DEVICE, 2, &device, NULL));
	expect_ok(tact_device_dma_add(device, page, PAGE, TACT_DMA_READ_ONLY, &address));
	expect_ok(tact_interrupt_create(NULL, device, 1, never, NULL, 0, &interrupt));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_interrupt_delete(interrupt));
	expect_ok(tact_device_close(device));
}

TEST_CPUS(2, tasks_of_both_cpus_take_turns_at_a_device)
{
	machine_make(NULL);
	for (uint32_t i = 0; i < 4; i++)
		test_join(test_spawn_on(i % 2, 10, use, NULL));
}
