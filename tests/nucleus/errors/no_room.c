/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pool of a CPU is used up by a task, which cannot make it grow: no object of any kind. */
#include "test.h"

static uint64_t heap_memory[TACT_HEAP_BYTES_MIN / 8];
static uint64_t zqueue_memory[TACT_ZQUEUE_BYTES_MIN / 8];

TASK_TEST(full_pool_has_room_for_no_object)
{
	int result;

	/* Until not even the smallest fits. */
	do
		result = tact_sem_create(NULL, 0, 1, 0, NULL);
	while (!result);
	expect_eq(result, -TACT_ENOMEM);
	expect_error(tact_barrier_create(NULL, 2, 0, NULL), TACT_ENOMEM);
	expect_error(tact_buffer_create(NULL, 64, 0, NULL), TACT_ENOMEM);
	expect_error(tact_cond_create(NULL, 0, NULL), TACT_ENOMEM);
	expect_error(tact_event_create(NULL, 0, 0, NULL), TACT_ENOMEM);
	expect_error(tact_zqueue_create(NULL, zqueue_memory, sizeof(zqueue_memory), 1, 0, NULL),
		     TACT_ENOMEM);
	expect_error(tact_heap_create(NULL, heap_memory, sizeof(heap_memory), 0, NULL),
		     TACT_ENOMEM);
	expect_error(tact_mailbox_create(NULL, 1, 0, NULL), TACT_ENOMEM);
	expect_error(tact_mutex_create(NULL, 0, 0, NULL), TACT_ENOMEM);
	expect_error(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, 0, NULL), TACT_ENOMEM);
	expect_error(tact_pool_create(NULL, 16, 1, NULL, 0, NULL), TACT_ENOMEM);
	expect_error(tact_port_create(NULL, 0, NULL), TACT_ENOMEM);
	expect_error(tact_queue_create(NULL, 8, 1, 0, NULL), TACT_ENOMEM);
	expect_error(tact_rwlock_create(NULL, 1, 0, NULL), TACT_ENOMEM);
}
