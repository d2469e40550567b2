/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tact_wait_any() and tact_interrupt_wait() refuse. */
#include "choice.h"

static struct tact_wait_item item[TACT_WAIT_ITEMS_MAX + 1];
static struct tact_wait_item *taken;

static void refuses_call(struct tact_wait_item *items, uint32_t count, tact_timeout_t timeout)
{
	taken = item;
	expect_error(tact_wait_any(items, count, timeout, &taken), TACT_EINVAL);
	expect_true(!taken);
}

TASK_TEST(wrong_arguments_are_refused)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	for (uint32_t i = 0; i <= TACT_WAIT_ITEMS_MAX; i++)
		item[i] = tact_wait_sem(sem, i);
	refuses_call(NULL, 1, TACT_FOREVER);
	refuses_call(item, 0, TACT_FOREVER);
	refuses_call(item, TACT_WAIT_ITEMS_MAX + 1, TACT_FOREVER);
	refuses_call(item, 1, (tact_timeout_t){0, 99});
	expect_eq(value_of(sem), 1);
}

/* A correct item is looked at first. Afterwards no call waits at its object. */
static void refuses_item(struct tact_wait_item wrong, int error)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	item[0] = tact_wait_sem(sem, 0);
	item[1] = wrong;
	expect_error(tact_wait_any(item, 2, TACT_FOREVER, &taken), error);
	expect_true(taken == &item[1]);
	expect_nobody_waits(&sem, 1);
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), error);
	expect_true(taken == &item[1]);
	/* An item that is ready ends the call before a wrong one behind it. */
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_wait_any(item, 2, TACT_FOREVER, &taken));
	expect_true(taken == item);
}

TASK_TEST(items_with_what_their_object_does_not_support)
{
	static char bytes[64];
	tact_mailbox_t mailbox;
	tact_buffer_t buffer;
	tact_event_t event;
	tact_queue_t queue;
	tact_pipe_t pipe;
	tact_sem_t sem;
	struct tact_wait_item wrong;

	expect_ok(tact_mailbox_create(NULL, 1, 0, &mailbox));
	expect_ok(tact_buffer_create(NULL, 16, 0, &buffer));
	expect_ok(tact_event_create(NULL, 0, 0, &event));
	expect_ok(tact_queue_create(NULL, 16, 1, 0, &queue));
	expect_ok(tact_pipe_create(NULL, 256, 0, &pipe));
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	refuses_item(tact_wait_event((tact_event_t){sem.id}, 1, 0, 0), TACT_EINVAL);
	refuses_item(tact_wait_queue((tact_queue_t){sem.id}, bytes, 1, 0), TACT_EINVAL);
	refuses_item(tact_wait_queue((tact_queue_t){mailbox.id}, bytes, 8, 0), TACT_EINVAL);
	refuses_item(tact_wait_sem((tact_sem_t){event.id}, 0), TACT_EINVAL);
	refuses_item(tact_wait_event(event, 1, 0x80, 0), TACT_EINVAL);
	refuses_item(tact_wait_event(event, 1, TACT_EVENT_CONSUME | TACT_EVENT_CLEAR_ALL, 0),
		     TACT_EINVAL);
	wrong = tact_wait_event(event, 1, 0, 0);
	wrong.size = 1;
	refuses_item(wrong, TACT_EINVAL);
	for (int i = 0; i < 2; i++) {
		wrong = tact_wait_event(event, 1, 0, 0);
		wrong.reserved[i] = 1;
		refuses_item(wrong, TACT_EINVAL);
	}
	refuses_item(tact_wait_event((tact_event_t){queue.id}, 1, 0, 0), TACT_EINVAL);
	refuses_item(tact_wait_event((tact_event_t){pipe.id}, 1, 0, 0), TACT_EINVAL);
	refuses_item(tact_wait_pipe(pipe, NULL, 1, 0), TACT_EINVAL);
	refuses_item(tact_wait_event((tact_event_t){buffer.id}, 1, 0, 0), TACT_EINVAL);
	refuses_item(tact_wait_buffer(buffer, bytes, 17, 0, 0), TACT_EINVAL);
	refuses_item(tact_wait_buffer(buffer, bytes, 1, 0x80, 0), TACT_EINVAL);
}

TASK_TEST(items_that_name_no_object_to_wait_for)
{
	static char bytes[64];
	tact_mutex_t mutex;
	tact_queue_t queue;
	tact_sem_t sem;

	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_sem_delete(sem));
	expect_ok(tact_queue_create(NULL, 16, 1, 0, &queue));
	refuses_item(tact_wait_sem(sem, 0), TACT_EIDRM);
	refuses_item(tact_wait_sem((tact_sem_t){mutex.id}, 0), TACT_EBADF);
	refuses_item(tact_wait_sem((tact_sem_t){tact_task_self().id}, 0), TACT_EBADF);
	refuses_item(tact_wait_sem((tact_sem_t){0}, 0), TACT_EBADF);
	refuses_item(tact_wait_sem((tact_sem_t){UINT32_MAX}, 0), TACT_EBADF);
	refuses_item(tact_wait_queue(queue, bytes, 15, 0), TACT_EMSGSIZE);
}

static void choose_event(void *event)
{
	struct tact_wait_item own = tact_wait_event(*(tact_event_t *)event, 1, 0, 0);

	expect_error(tact_wait_any(&own, 1, TEST_LONG, NULL), TACT_EIDRM);
}

TASK_TEST(second_waiter_of_single_event_flags_is_refused)
{
	tact_event_t event;
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_SINGLE, &event));
	task = test_spawn(TEST_PRIORITY + 1, choose_event, &event);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	refuses_item(tact_wait_event(event, 1, 0, 0), TACT_EBUSY);
	expect_error(tact_event_wait(event, 1, 0, TEST_LONG, NULL), TACT_EBUSY);
	expect_ok(tact_event_delete(event));
	test_join(task);
}

static void choose_in_handler(void *sem)
{
	struct tact_wait_item own = tact_wait_sem(*(tact_sem_t *)sem, 0);

	expect_error(tact_wait_any(&own, 1, TACT_NOWAIT, NULL), TACT_EPERM);
	expect_error(tact_wait_any(&own, 1, TACT_FOREVER, NULL), TACT_EPERM);
	expect_error(tact_interrupt_wait((tact_interrupt_t){((tact_sem_t *)sem)->id}, TEST_LONG),
		     TACT_EPERM);
	mark("refused");
}

TEST(handlers_do_not_choose)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	test_in_handler(choose_in_handler, &sem);
	expect_marks("refused");
	expect_eq(value_of(sem), 1);
}

TEST_UNSTARTED(nobody_chooses_before_the_start)
{
	item[0] = tact_wait_sem((tact_sem_t){1}, 0);
	expect_error(tact_wait_any(item, 1, TACT_NOWAIT, &taken), TACT_EPERM);
	expect_true(!taken);
}

TASK_TEST(what_is_no_interrupt_is_refused)
{
	tact_interrupt_t interrupt;
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	interrupt = (tact_interrupt_t){sem.id};
	expect_error(tact_interrupt_wait(interrupt, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_interrupt_wait(interrupt, (tact_timeout_t){0, 99}), TACT_EINVAL);
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_interrupt_wait(interrupt, TACT_NOWAIT), TACT_EIDRM);
}
