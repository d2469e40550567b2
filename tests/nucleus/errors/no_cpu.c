/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A number that no real-time CPU has gives one error, however large it is and whatever it is given
 * to. */
#include "test.h"

static const uint32_t numbers[] = {1,   TACT_CPU_MAX - 1, TACT_CPU_MAX, 32, 61, 62, 63, 64, 255,
				   256, TACT_CPU_ANY};

static void nothing(void *unused)
{
	(void)unused;
}

static void expect_no_home(uint32_t home)
{
	const struct tact_task_attr attr = {.flags = home};

	expect_error(tact_barrier_create(NULL, 1, home, NULL), TACT_ENXIO);
	expect_error(tact_buffer_create(NULL, 16, home, NULL), TACT_ENXIO);
	expect_error(tact_cond_create(NULL, home, NULL), TACT_ENXIO);
	expect_error(tact_event_create(NULL, 0, home, NULL), TACT_ENXIO);
	expect_error(tact_heap_create(NULL, NULL, TACT_HEAP_BYTES_MIN, home, NULL), TACT_ENXIO);
	expect_error(tact_mailbox_create(NULL, 1, home, NULL), TACT_ENXIO);
	expect_error(tact_mutex_create(NULL, home, 0, NULL), TACT_ENXIO);
	expect_error(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, home, NULL), TACT_ENXIO);
	expect_error(tact_pool_create(NULL, 16, 1, NULL, home, NULL), TACT_ENXIO);
	expect_error(tact_port_create(NULL, home, NULL), TACT_ENXIO);
	expect_error(tact_queue_create(NULL, 8, 1, home, NULL), TACT_ENXIO);
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS, 0, home, NULL), TACT_ENXIO);
	expect_error(tact_rwlock_create(NULL, 1, home, NULL), TACT_ENXIO);
	expect_error(tact_sem_create(NULL, 0, 1, home, NULL), TACT_ENXIO);
	expect_error(tact_task_create(&attr, NULL), TACT_ENXIO);
	expect_error(tact_timer_create(NULL, nothing, NULL, home, NULL), TACT_ENXIO);
	expect_error(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 1, home, NULL),
		     TACT_ENXIO);
}

TASK_TEST(number_that_no_cpu_has_is_no_home)
{
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		expect_no_home(TACT_ON_CPU(numbers[i]));
	/* Nor are the bits of the flag that the macro never makes. */
	expect_no_home(0x3f000000u);
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), NULL));
}

TASK_TEST(number_that_no_cpu_has_is_refused_as_an_argument)
{
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		expect_error(tact_cpu_inquire(numbers[i], NULL), TACT_ENXIO);
		expect_error(tact_partition_stop(numbers[i]), TACT_ENXIO);
		expect_error(tact_task_migrate(TACT_SELF, numbers[i]), TACT_ENXIO);
		expect_error(tact_trace_enable(numbers[i], 1), TACT_ENXIO);
	}
}
