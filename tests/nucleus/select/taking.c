/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is taken from which object: what its own call would have taken, and nothing else. */
#include "choice.h"

static struct tact_wait_item item[TACT_WAIT_ITEMS_MAX];
static struct tact_wait_item *taken;

TASK_TEST(first_item_that_is_ready_is_taken)
{
	tact_sem_t sem[3];

	for (uint32_t i = 0; i < 3; i++) {
		expect_ok(tact_sem_create(NULL, i > 0, 9, 0, &sem[i]));
		item[i] = tact_wait_sem(sem[i], 100 + i);
	}
	expect_ok(tact_wait_any(item, 3, TACT_FOREVER, &taken));
	expect_eq(taken->cookie, 101);
	expect_eq(value_of(sem[1]), 0);
	expect_eq(value_of(sem[2]), 1);
	expect_ok(tact_wait_any(item, 3, TACT_NOWAIT, &taken));
	expect_eq(taken - item, 2);
	expect_error(tact_wait_any(item, 3, TACT_NOWAIT, &taken), TACT_EAGAIN);
	expect_true(!taken);
	expect_nobody_waits(sem, 3);
}

TASK_TEST(taken_item_need_not_be_named)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	item[0] = tact_wait_sem(sem, 0);
	expect_ok(tact_wait_any(item, 1, TACT_FOREVER, NULL));
	expect_error(tact_wait_any(item, 1, TACT_NOWAIT, NULL), TACT_EAGAIN);
}

static void post(void *sem)
{
	expect_ok(tact_sem_post(*(tact_sem_t *)sem));
}

TASK_TEST(unit_that_comes_ends_the_wait)
{
	tact_sem_t sem[5];

	for (uint32_t i = 0; i < 5; i++) {
		expect_ok(tact_sem_create(NULL, 0, 9, i & 1 ? TACT_PRIO : 0, &sem[i]));
		item[i] = tact_wait_sem(sem[i], i);
	}
	for (uint32_t i = 0; i < 5; i++) {
		tact_task_t poster = test_spawn(TEST_PRIORITY - 1, post, &sem[i]);

		expect_ok(tact_wait_any(item, 5, TEST_LONG, &taken));
		expect_eq(taken->cookie, i);
		test_join(poster);
	}
	expect_nobody_waits(sem, 5);
}

/* More items than one section looks at or withdraws. */
TASK_TEST(as_many_items_as_may_be)
{
	tact_sem_t sem[TACT_WAIT_ITEMS_MAX];

	for (uint32_t i = 0; i < TACT_WAIT_ITEMS_MAX; i++) {
		expect_ok(tact_sem_create(NULL, 0, 9, 0, &sem[i]));
		item[i] = tact_wait_sem(sem[i], i);
	}
	for (uint32_t i = 0; i < TACT_WAIT_ITEMS_MAX; i++) {
		tact_task_t poster = test_spawn(TEST_PRIORITY - 1, post, &sem[i]);

		expect_ok(tact_wait_any(item, TACT_WAIT_ITEMS_MAX, TEST_LONG, &taken));
		expect_eq(taken->cookie, i);
		test_join(poster);
	}
	expect_ok(tact_sem_post(sem[TACT_WAIT_ITEMS_MAX - 1]));
	expect_ok(tact_wait_any(item, TACT_WAIT_ITEMS_MAX, TACT_NOWAIT, &taken));
	expect_eq(taken->cookie, TACT_WAIT_ITEMS_MAX - 1);
	expect_nobody_waits(sem, TACT_WAIT_ITEMS_MAX);
}

TASK_TEST(same_object_in_two_items_is_taken_once)
{
	tact_task_t poster;
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 9, 0, &sem));
	item[0] = tact_wait_sem(sem, 7);
	item[1] = tact_wait_sem(sem, 8);
	poster = test_spawn(TEST_PRIORITY - 1, post, &sem);
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_eq(taken->cookie, 7);
	test_join(poster);
	expect_eq(value_of(sem), 0);
	expect_nobody_waits(&sem, 1);
}

TASK_TEST(bits_are_received_and_consumed)
{
	tact_event_t event[2];
	struct tact_event_info info = {0};

	expect_ok(tact_event_create(NULL, 0x3, 0, &event[0]));
	expect_ok(tact_event_create(NULL, 0xc1, 0, &event[1]));
	item[0] = tact_wait_event(event[0], 0x5, TACT_EVENT_ALL, 0);
	item[1] = tact_wait_event(event[1], 0x81, TACT_EVENT_ALL | TACT_EVENT_CONSUME, 1);
	expect_ok(tact_wait_any(item, 2, TACT_FOREVER, &taken));
	expect_eq(taken->cookie, 1);
	expect_eq(taken->value, 0xc1);
	expect_ok(tact_event_inquire(event[0], &info));
	expect_eq(info.bits, 0x3);
	expect_ok(tact_event_inquire(event[1], &info));
	expect_eq(info.bits, 0x40);
}

static void set_three(void *event)
{
	/* The first bit alone is not enough. */
	expect_eq(tact_event_set(*(tact_event_t *)event, 1), 0);
	mark("one");
	expect_eq(tact_event_set(*(tact_event_t *)event, 6), 1);
}

TASK_TEST(bits_that_are_set_meanwhile_end_the_wait)
{
	tact_event_t event;
	tact_task_t setter;
	tact_sem_t sem;

	expect_ok(tact_event_create(NULL, 0, 0, &event));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	item[0] = tact_wait_event(event, 0x3, TACT_EVENT_ALL | TACT_EVENT_CLEAR_ALL, 5);
	item[1] = tact_wait_sem(sem, 6);
	setter = test_spawn(TEST_PRIORITY - 1, set_three, &event);
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	mark("taken");
	expect_eq(taken->cookie, 5);
	expect_eq(taken->value, 7);
	test_join(setter);
	expect_marks("one taken");
	expect_eq(tact_event_wait(event, 7, 0, TACT_NOWAIT, NULL), -TACT_EAGAIN);
	expect_nobody_waits(&sem, 1);
}

TASK_TEST(message_is_received_into_the_items_buffer)
{
	tact_queue_t queue[2];
	char text[2][16];

	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_queue_create(NULL, 16, 4, TACT_QUEUE_SORTED, &queue[i]));
		item[i] = tact_wait_queue(queue[i], text[i], sizeof(text[i]), i);
	}
	expect_ok(tact_queue_send(queue[1], "one", 4, 3, TACT_NOWAIT));
	expect_ok(tact_queue_send(queue[1], "three", 6, 1, TACT_NOWAIT));
	expect_eq(tact_wait_any(item, 2, TACT_FOREVER, &taken), 4);
	expect_eq(taken->cookie, 1);
	expect_eq(taken->value, 3);
	expect_str(text[1], "one");
	expect_eq(tact_wait_any(item, 2, TACT_FOREVER, &taken), 6);
	expect_str(text[1], "three");
	expect_eq(taken->value, 1);
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), TACT_EAGAIN);
}

static void send_text(void *queue)
{
	expect_ok(
		tact_queue_send(*(tact_queue_t *)queue, "text", 5, TACT_QUEUE_NORMAL, TACT_NOWAIT));
}

static void queues_of(uint32_t depth)
{
	char text[16] = "none";
	tact_queue_t queue[2];
	tact_task_t sender;

	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_queue_create(NULL, 16, depth, 0, &queue[i]));
		/* All items share one memory: only the taken one writes. */
		item[i] = tact_wait_queue(queue[i], text, sizeof(text), i);
	}
	sender = test_spawn(TEST_PRIORITY - 1, send_text, &queue[1]);
	expect_eq(tact_wait_any(item, 2, TEST_LONG, &taken), 5);
	expect_eq(taken->cookie, 1);
	expect_str(text, "text");
	test_join(sender);
}

TASK_TEST(message_goes_to_one_who_waits)
{
	queues_of(4);
}

static void send_and_wait(void *queue)
{
	expect_ok(tact_queue_send(*(tact_queue_t *)queue, "late", 5, TACT_QUEUE_NORMAL, TEST_LONG));
	mark("sent");
}

TASK_TEST(message_of_a_waiting_sender_is_taken)
{
	char text[16];
	tact_queue_t queue;
	tact_task_t sender;

	expect_ok(tact_queue_create(NULL, 16, 0, 0, &queue));
	sender = test_spawn(TEST_PRIORITY + 1, send_and_wait, &queue);
	test_until_state(sender, TACT_TASK_STATE_WAITING);
	item[0] = tact_wait_queue(queue, text, sizeof(text), 0);
	expect_eq(tact_wait_any(item, 1, TACT_FOREVER, NULL), 5);
	expect_str(text, "late");
	test_join(sender);
	expect_marks("sent");
}

static void broadcast_text(void *queue)
{
	expect_eq(tact_queue_broadcast(*(tact_queue_t *)queue, "all", 4), 1);
}

TASK_TEST(broadcasts_reach_a_choice)
{
	char text[16];
	tact_queue_t queue;
	tact_task_t sender;
	tact_sem_t sem;

	expect_ok(tact_queue_create(NULL, 16, 2, 0, &queue));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	item[0] = tact_wait_sem(sem, 0);
	item[1] = tact_wait_queue(queue, text, sizeof(text), 1);
	sender = test_spawn(TEST_PRIORITY - 1, broadcast_text, &queue);
	expect_eq(tact_wait_any(item, 2, TEST_LONG, &taken), 4);
	expect_eq(taken->cookie, 1);
	expect_str(text, "all");
	test_join(sender);
}

TASK_TEST(mailboxes_and_buffers_take_part)
{
	tact_mailbox_t mailbox;
	tact_buffer_t buffer;
	char text[16];

	expect_ok(tact_mailbox_create(NULL, 4, 0, &mailbox));
	expect_ok(tact_buffer_create(NULL, 64, 0, &buffer));
	item[0] = tact_wait_mailbox(mailbox, 0);
	item[1] = tact_wait_buffer(buffer, text, 4, TACT_BUFFER_WHOLE, 1);
	expect_eq(tact_buffer_write(buffer, "abc", 3, 0, TACT_NOWAIT), 3);
	/* A buffer gives all bytes or, if the item says so, what it has. */
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), TACT_EAGAIN);
	item[1].how = TACT_BUFFER_PARTIAL;
	expect_eq(tact_wait_any(item, 2, TACT_NOWAIT, &taken), 3);
	expect_eq(taken->cookie, 1);
	expect_true(!memcmp(text, "abc", 3));
	expect_ok(tact_mailbox_post(mailbox, 77, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	expect_ok(tact_wait_any(item, 2, TACT_FOREVER, &taken));
	expect_eq(taken->cookie, 0);
	expect_eq(taken->value, 77);
}

static void post_value(void *mailbox)
{
	expect_ok(
		tact_mailbox_post(*(tact_mailbox_t *)mailbox, 5, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
}

TASK_TEST(value_of_a_mailbox_ends_the_wait)
{
	tact_mailbox_t mailbox[2];
	tact_task_t poster;

	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_mailbox_create(NULL, 4, 0, &mailbox[i]));
		item[i] = tact_wait_mailbox(mailbox[i], i);
	}
	poster = test_spawn(TEST_PRIORITY - 1, post_value, &mailbox[1]);
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_eq(taken->cookie, 1);
	expect_eq(taken->value, 5);
	test_join(poster);
}

static tact_buffer_t stream;

static void read_two(void *unused)
{
	char text[2];

	(void)unused;
	expect_eq(tact_buffer_read(stream, text, 2, 0, TEST_LONG), 2);
	mark("read");
}

static void write_two_and_post(void *sem)
{
	expect_eq(tact_buffer_write(stream, "ab", 2, 0, TACT_NOWAIT), 2);
	mark("written");
	expect_ok(tact_sem_post(*(tact_sem_t *)sem));
}

static void choose_four_bytes(void *sem)
{
	char text[4];

	item[0] = tact_wait_buffer(stream, text, sizeof(text), TACT_BUFFER_WHOLE, 0);
	item[1] = tact_wait_sem(*(tact_sem_t *)sem, 1);
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_eq(taken->cookie, 1);
	mark("chosen");
}

/* The first reader wants four bytes; the second one wants what is there, but comes later. */
TEST(reader_behind_a_choice_that_has_ended_is_served)
{
	tact_task_t chooser, reader, writer;
	tact_sem_t sem;

	expect_ok(tact_buffer_create(NULL, 64, 0, &stream));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	chooser = test_spawn(20, choose_four_bytes, &sem);
	test_until_state(chooser, TACT_TASK_STATE_WAITING);
	reader = test_spawn(15, read_two, NULL);
	test_until_state(reader, TACT_TASK_STATE_WAITING);
	writer = test_spawn(10, write_two_and_post, &sem);
	test_join(chooser);
	test_join(reader);
	test_join(writer);
	expect_marks("written chosen read");
}

TEST(pipe_takes_part)
{
	struct tact_pipe_end *end;
	tact_pipe_t pipe;
	char text[2][16];
	tact_sem_t sem;

	expect_ok(tact_pipe_create(NULL, 256, 0, &pipe));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_pipe_open(pipe, &end));
	item[0] = tact_wait_sem(sem, 0);
	item[1] = tact_wait_pipe(pipe, text[1], sizeof(text[1]), 1);
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), TACT_EAGAIN);
	expect_ok(tact_pipe_end_write(end, "hello", 6, TACT_NOWAIT));
	expect_eq(tact_wait_any(item, 2, TACT_FOREVER, &taken), 6);
	expect_eq(taken->cookie, 1);
	expect_str(text[1], "hello");
	expect_ok(tact_pipe_close(end));
}

static void choose_and_mark(void *unused)
{
	int result = tact_wait_any(item, 2, TEST_LONG, &taken);

	(void)unused;
	expect_eq(result, 6);
	mark((char *)taken->buffer);
}

TEST(pipe_is_read_when_linux_writes)
{
	struct tact_pipe_end *end;
	tact_pipe_t pipe;
	char text[16];
	tact_task_t task;
	tact_sem_t sem;

	expect_ok(tact_pipe_create(NULL, 256, 0, &pipe));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_pipe_open(pipe, &end));
	item[0] = tact_wait_sem(sem, 0);
	item[1] = tact_wait_pipe(pipe, text, sizeof(text), 1);
	task = test_spawn(10, choose_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_pipe_end_write(end, "linux", 6, TACT_NOWAIT));
	test_join(task);
	expect_marks("linux");
	expect_nobody_waits(&sem, 1);
	expect_ok(tact_pipe_close(end));
}

LIGHT_TEST(light_tasks_choose)
{
	tact_sem_t sem[2];

	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_sem_create(NULL, i, 1, 0, &sem[i]));
		item[i] = tact_wait_sem(sem[i], i);
	}
	expect_ok(tact_wait_any(item, 2, TACT_FOREVER, &taken));
	expect_eq(taken->cookie, 1);
	expect_error(tact_wait_any(item, 2, tact_in(TEST_MS), &taken), TACT_ETIMEDOUT);
	expect_nobody_waits(sem, 2);
}
