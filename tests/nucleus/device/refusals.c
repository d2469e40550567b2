/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refused calls leave nothing behind. */
#include "machine.h"
#include "sizes.h"

static _Alignas(4096) char page[4 * PAGE];
static tact_device_t device;
static tact_interrupt_t interrupt;
static void *registers;
static uint64_t address;

static void never(void *unused)
{
	(void)unused;
	mark("never");
}

static void refused_open(const char *name, const char *at, uint32_t lines, int error)
{
	expect_error(tact_device_open(name, at, lines, NULL, NULL), error);
}

TASK_TEST(open_refuses_what_cannot_be_had)
{
	char reason[TACT_REASON_BYTES];

	machine_make(NULL);
	refused_open(NULL, NULL, 1, TACT_EINVAL);
	refused_open(NULL, "0000:00:04.0.and.more", 1, TACT_EINVAL);
	refused_open(NULL, DEVICE, TACT_DEVICE_IRQ_LINES + 1, TACT_EINVAL);
	refused_open("", DEVICE, 1, TACT_EINVAL);
	expect_error(tact_device_open(NULL, "0000:00:05.0", 1, NULL, reason), TACT_ENODEV);
	expect_true(reason[0]);
	expect_ok(tact_device_open("edu", DEVICE, 1, &device, NULL));
	refused_open(NULL, DEVICE, 1, TACT_EBUSY);
	expect_ok(tact_device_close(device));
	expect_ok(tact_sem_create("taken", 0, 1, 0, NULL));
	refused_open("taken", DEVICE, 1, TACT_EEXIST);
	/* It was given back. */
	expect_ok(tact_device_open("edu", DEVICE, 1, NULL, NULL));
}

TEST(program_has_eight_devices_at_most)
{
	char names[9][TACT_DEVICE_ADDRESS_BYTES];
	struct hal_sim_device some = {.lines = 1, .address_bits = 64};

	for (unsigned i = 0; i < 9; i++) {
		memcpy(names[i], DEVICE, sizeof(DEVICE));
		names[i][11] = (char)('0' + i);
		some.name = names[i];
		machine_make(&some);
		if (i < 8)
			expect_ok(tact_device_open(NULL, names[i], 1, NULL, NULL));
	}
	refused_open(NULL, names[8], 1, TACT_ENOSPC);
}

TEST(machine_that_refuses_is_quoted)
{
	static const int errors[] = {TACT_EPERM, TACT_ENOTSUP, TACT_ENOMEM};
	static const char *const names[] = {"a", "b", "c"};

	for (unsigned i = 0; i < 3; i++) {
		machine_make(&(struct hal_sim_device){.name = names[i], .refusal = -errors[i]});
		refused_open(NULL, names[i], 1, errors[i]);
	}
}

TEST(pages_of_neither_side_are_refused)
{
	machine_make(NULL);
	device = machine_open();
	expect_error(tact_device_map(device, 0, 0, PAGE, NULL), TACT_EINVAL);
	expect_error(tact_device_map(device, 6, 0, PAGE, &registers), TACT_EINVAL);
	expect_error(tact_device_map(device, 1, 0, PAGE, &registers), TACT_EINVAL);
	expect_error(tact_device_map(device, 0, 8, PAGE, &registers), TACT_EINVAL);
	expect_error(tact_device_map(device, 0, 0, 0, &registers), TACT_EINVAL);
	expect_error(tact_device_map(device, 0, PAGE, 2 * PAGE, &registers), TACT_EINVAL);
	expect_error(tact_device_map(device, 0, -(uint64_t)PAGE, 2 * PAGE, &registers),
		     TACT_EINVAL);
	expect_error(tact_device_dma_add(device, page, PAGE, 0, NULL), TACT_EINVAL);
	expect_error(tact_device_dma_add(device, page, PAGE, 2, &address), TACT_EINVAL);
	expect_error(tact_device_dma_add(device, page + 8, PAGE, 0, &address), TACT_EINVAL);
	expect_error(tact_device_dma_add(device, page, 0, 0, &address), TACT_EINVAL);
	address = 8;
	expect_error(tact_device_dma_add(device, page, PAGE, 0, &address), TACT_EINVAL);
	address = 0;
	expect_error(tact_device_dma_add(device, NULL, PAGE, 0, &address), TACT_EFAULT);
	expect_ok(tact_device_dma_add(device, page, 2 * PAGE, 0, &address));
	address = PAGE;
	expect_error(tact_device_dma_add(device, page, PAGE, 0, &address), TACT_EEXIST);
	address = (1u << 28) - PAGE;
	expect_error(tact_device_dma_add(device, page, 2 * PAGE, 0, &address), TACT_ENOSPC);
	expect_error(tact_device_dma_remove(device, 0, PAGE), TACT_ESRCH);
	expect_ok(tact_device_dma_remove(device, 0, 2 * PAGE));
}

TEST(machine_without_room_or_translation)
{
	machine_make(&(struct hal_sim_device){
		.name = DEVICE, .address_bits = 64, .pin_bytes = PAGE, .bar_bytes = {PAGE}});
	expect_ok(tact_device_open(NULL, DEVICE, 1, &device, NULL));
	expect_error(tact_device_map(device, 0, 0, PAGE, &registers), TACT_ENOMEM);
	expect_error(tact_device_dma_add(device, page, 2 * PAGE, 0, &address), TACT_ENOMEM);
	expect_ok(tact_device_dma_add(device, page, PAGE, 0, &address));
	expect_eq(address, (uintptr_t)page);
	expect_error(tact_device_dma_remove(device, address, PAGE), TACT_ENOTSUP);
}

static void refused_interrupt(const char *name, uint32_t line, uint32_t flags, int error)
{
	expect_error(tact_interrupt_create(name, device, line, never, NULL, flags, NULL), error);
}

TEST(interrupt_of_no_line_or_cpu_is_refused)
{
	machine_make(NULL);
	device = machine_open();
	refused_interrupt(NULL, 2, 0, TACT_EINVAL);
	refused_interrupt(NULL, 0, TACT_PRIO, TACT_EINVAL);
	refused_interrupt("", 0, 0, TACT_EINVAL);
	refused_interrupt(NULL, 0, TACT_ON_CPU(1), TACT_ENXIO);
	expect_ok(tact_interrupt_create("taken", device, 0, never, NULL, 0, NULL));
	refused_interrupt("taken", 1, 0, TACT_EEXIST);
	refused_interrupt(NULL, 0, 0, TACT_EBUSY);
}

TEST(cpu_has_so_many_interrupts)
{
	machine_make(&(struct hal_sim_device){
		.name = DEVICE, .lines = TACT_DEVICE_IRQ_LINES, .address_bits = 64});
	machine_make(&(struct hal_sim_device){.name = "second", .lines = 1, .unaimable = true});
	expect_ok(tact_device_open(NULL, DEVICE, TACT_DEVICE_IRQ_LINES, &device, NULL));
	for (uint32_t i = 0; i < TACT_DEVICE_IRQ_LINES; i++)
		expect_ok(tact_interrupt_create(NULL, device, i, never, NULL, 0, &interrupt));
	expect_ok(tact_device_open(NULL, "second", 1, &device, NULL));
	refused_interrupt(NULL, 0, 0, TACT_ENOSPC);
	expect_ok(tact_interrupt_delete(interrupt));
	/* And an interrupt that cannot be aimed leaves nothing. */
	for (int i = 0; i < 3; i++)
		refused_interrupt(NULL, 0, 0, TACT_ENOSYS);
}

TASK_TEST(full_pool_has_room_for_neither)
{
	tact_device_t other;
	int result;

	machine_make(NULL);
	machine_make(&(struct hal_sim_device){.name = "second", .lines = 1, .address_bits = 64});
	device = machine_open();
	do
		result = tact_sem_create(NULL, 0, 1, 0, NULL);
	while (!result);
	refused_interrupt(NULL, 0, 0, TACT_ENOMEM);
	expect_error(tact_device_open(NULL, "second", 1, &other, NULL), TACT_ENOMEM);
}

static void refuse_all(tact_device_t bad, tact_interrupt_t worse, int error)
{
	expect_error(tact_device_inquire(bad, NULL), error);
	expect_error(tact_device_map(bad, 0, 0, PAGE, &registers), error);
	expect_error(tact_device_dma_add(bad, page, PAGE, 0, &address), error);
	expect_error(tact_device_dma_remove(bad, 0, PAGE), error);
	expect_error(tact_device_close(bad), error);
	expect_error(tact_interrupt_create(NULL, bad, 0, never, NULL, 0, NULL), error);
	expect_error(tact_interrupt_inquire(worse, NULL), error);
	expect_error(tact_interrupt_enable(worse), error);
	expect_error(tact_interrupt_disable(worse), error);
	expect_error(tact_interrupt_delete(worse), error);
}

TEST(stale_and_foreign_handles_are_told_apart)
{
	tact_sem_t sem;

	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create(NULL, device, 0, never, NULL, 0, &interrupt));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	refuse_all((tact_device_t){sem.id}, (tact_interrupt_t){device.id}, TACT_EBADF);
	/* Linux has something to do for them: only their own calls delete them. */
	expect_error(tact_delete(tact_object(device)), TACT_EBUSY);
	expect_error(tact_delete(tact_object(interrupt)), TACT_EBUSY);
	expect_ok(tact_interrupt_delete(interrupt));
	expect_ok(tact_device_close(device));
	refuse_all(device, interrupt, TACT_EIDRM);
}

static int inquire_device(void *info)
{
	return tact_device_inquire(device, info);
}

static int inquire_interrupt(void *info)
{
	return tact_interrupt_inquire(interrupt, info);
}

TASK_TEST(inquiries_tell_as_much_as_both_know)
{
	machine_make(NULL);
	device = machine_open();
	expect_ok(tact_interrupt_create(NULL, device, 0, never, NULL, 0, &interrupt));
	expect_told_by_size("device", inquire_device, sizeof(struct tact_device_info));
	expect_told_by_size("interrupt", inquire_interrupt, sizeof(struct tact_interrupt_info));
	expect_ok(tact_interrupt_delete(interrupt));
	expect_ok(tact_device_close(device));
}

static void from_a_handler(void *unused)
{
	(void)unused;
	refused_open(NULL, DEVICE, 1, TACT_EPERM);
	expect_error(tact_device_map(device, 0, 0, PAGE, &registers), TACT_EPERM);
	expect_error(tact_device_dma_add(device, page, PAGE, 0, &address), TACT_EPERM);
	expect_error(tact_device_dma_remove(device, 0, PAGE), TACT_EPERM);
	expect_error(tact_device_close(device), TACT_EPERM);
	refused_interrupt(NULL, 0, 0, TACT_EPERM);
	expect_error(tact_interrupt_delete(interrupt), TACT_EPERM);
	expect_error(tact_interrupt_inquire(interrupt, NULL), TACT_EPERM);
	expect_ok(tact_interrupt_disable(interrupt));
	expect_ok(tact_interrupt_enable(interrupt));
}

static void inquire_afar(void *unused)
{
	(void)unused;
	expect_error(tact_device_inquire(device, NULL), TACT_EPERM);
}

static void open_and_make(void *unused)
{
	(void)unused;
	device = machine_open();
	expect_ok(tact_interrupt_create(NULL, device, 0, never, NULL, 0, &interrupt));
}

TEST_CPUS(2, handler_masks_and_does_nothing_else)
{
	machine_make(NULL);
	test_join(test_spawn_on(1, 10, open_and_make, NULL));
	test_in_handler(from_a_handler, NULL);
	test_in_handler(inquire_afar, NULL);
}

LIGHT_TEST(light_task_has_no_linux_to_ask)
{
	refused_open(NULL, DEVICE, 1, TACT_EPERM);
}

static void mask_too_often(void *unused)
{
	int result = 0;

	(void)unused;
	for (int i = 0; i < 100000 && !result; i++)
		result = tact_interrupt_disable(interrupt);
	expect_eq(result, -TACT_ENOMEM);
	expect_error(tact_interrupt_enable(interrupt), TACT_ENOMEM);
}

TEST_UNSTARTED(handler_without_a_record_masks_nothing_more)
{
	struct tact_config config = {.cpus = 2};
	struct hal_sim_costs costs;

	hal_sim_get_costs(&costs);
	costs.kick_ns = TEST_MS;
	expect_ok(hal_sim_set_costs(&costs));
	expect_ok(test_start(&config, NULL));
	machine_make(NULL);
	test_join(test_spawn_on(1, 10, open_and_make, NULL));
	test_in_handler(mask_too_often, NULL);
	expect_ok(tact_stop());
}

static void refuse_doorbell(void *unused)
{
	struct tact_doorbell *attached;
	int file;

	(void)unused;
	expect_error(tact_doorbell_file(device, &file), TACT_EPERM);
	expect_error(tact_doorbell_attach(0, &attached), TACT_EPERM);
}

TASK_TEST(device_that_is_no_doorbell_has_no_file)
{
	struct tact_doorbell *attached;
	int file;

	machine_make(NULL);
	expect_ok(tact_device_open(NULL, DEVICE, 1, &device, NULL));
	expect_error(tact_doorbell_file(device, &file), TACT_EINVAL);
	expect_error(tact_doorbell_file(device, NULL), TACT_EINVAL);
	expect_error(tact_doorbell_file((tact_device_t){tact_task_self().id}, &file), TACT_EBADF);
	test_in_handler(refuse_doorbell, NULL);
	expect_ok(tact_device_close(device));
	expect_error(tact_doorbell_file(device, &file), TACT_EIDRM);
	expect_error(tact_doorbell_attach(0, NULL), TACT_EINVAL);
	expect_error(tact_doorbell_attach(0, &attached), TACT_ENOTSUP);
}
