/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures that calls fill, by their size: the fields that both know are filled, the rest becomes
 * 0. */
#include "sizes.h"

#include <stddef.h>
#include <stdlib.h>

#define MEMORY 65536u

static tact_barrier_t barrier;
static tact_buffer_t buffer;
static tact_cond_t cond;
static tact_event_t event;
static tact_heap_t heap;
static tact_mailbox_t mailbox;
static tact_mutex_t mutex;
static tact_pipe_t pipe_object;
static tact_pool_t pool;
static tact_port_t port;
static tact_queue_t queue;
static tact_quota_t quota;
static tact_rwlock_t rwlock;
static tact_sem_t sem;
static tact_task_t task;
static tact_timer_t timer;
static tact_zqueue_t zqueue;

static void nothing(void *unused)
{
	(void)unused;
}

#define INQUIRY(kind, handle)                               \
	static int inquire_##kind(void *info)               \
	{                                                   \
		return tact_##kind##_inquire(handle, info); \
	}

INQUIRY(barrier, barrier)
INQUIRY(buffer, buffer)
INQUIRY(cond, cond)
INQUIRY(cpu, 0)
INQUIRY(event, event)
INQUIRY(heap, heap)
INQUIRY(mailbox, mailbox)
INQUIRY(mutex, mutex)
INQUIRY(partition, 0)
INQUIRY(pipe, pipe_object)
INQUIRY(pool, pool)
INQUIRY(port, port)
INQUIRY(queue, queue)
INQUIRY(quota, quota)
INQUIRY(rwlock, rwlock)
INQUIRY(sem, sem)
INQUIRY(task, task)
INQUIRY(timer, timer)
INQUIRY(zqueue, zqueue)

static int get_sched(void *sched)
{
	return tact_task_get_sched(task, sched);
}

static int get_limits(void *limits)
{
	return tact_sched_limits(limits);
}

static void create_one_of_each(uint32_t home)
{
	static char memory[2][MEMORY];
	const struct tact_task_attr attr = {.name = "task", .flags = home};

	expect_ok(tact_barrier_create("barrier", 2, home, &barrier));
	expect_ok(tact_buffer_create("buffer", 16, home, &buffer));
	expect_ok(tact_cond_create("cond", home, &cond));
	expect_ok(tact_event_create("event", 0, home, &event));
	expect_ok(tact_heap_create("heap", memory[0], MEMORY, home, &heap));
	expect_ok(tact_mailbox_create("mailbox", 1, home, &mailbox));
	expect_ok(tact_mutex_create("mutex", home, 0, &mutex));
	expect_ok(tact_pipe_create("pipe", TACT_PIPE_BYTES_MIN, home, &pipe_object));
	expect_ok(tact_pool_create("pool", 16, 1, NULL, home, &pool));
	expect_ok(tact_port_create("port", home, &port));
	expect_ok(tact_queue_create("queue", 16, 1, home, &queue));
	expect_ok(tact_quota_create("quota", 100 * TEST_MS, TEST_MS, 0, home, &quota));
	expect_ok(tact_rwlock_create("rwlock", 1, home, &rwlock));
	expect_ok(tact_sem_create("sem", 0, 1, home, &sem));
	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_timer_create("timer", nothing, NULL, home, &timer));
	expect_ok(tact_zqueue_create("zqueue", memory[1], MEMORY, 0, home, &zqueue));
}

static void expect_all_told(uint32_t home)
{
	create_one_of_each(home);
	expect_told_by_size("barrier", inquire_barrier, sizeof(struct tact_barrier_info));
	expect_told_by_size("buffer", inquire_buffer, sizeof(struct tact_buffer_info));
	expect_told_by_size("cond", inquire_cond, sizeof(struct tact_cond_info));
	expect_told_by_size("cpu", inquire_cpu, sizeof(struct tact_cpu_info));
	expect_told_by_size("event", inquire_event, sizeof(struct tact_event_info));
	expect_told_by_size("heap", inquire_heap, sizeof(struct tact_heap_info));
	expect_told_by_size("mailbox", inquire_mailbox, sizeof(struct tact_mailbox_info));
	expect_told_by_size("mutex", inquire_mutex, sizeof(struct tact_mutex_info));
	expect_told_by_size("partition", inquire_partition, sizeof(struct tact_partition_info));
	expect_told_by_size("pipe", inquire_pipe, sizeof(struct tact_pipe_info));
	expect_told_by_size("pool", inquire_pool, sizeof(struct tact_pool_info));
	expect_told_by_size("port", inquire_port, sizeof(struct tact_port_info));
	expect_told_since("queue", inquire_queue, offsetof(struct tact_queue_info, first_bytes),
			  sizeof(struct tact_queue_info));
	expect_told_by_size("quota", inquire_quota, sizeof(struct tact_quota_info));
	expect_told_by_size("rwlock", inquire_rwlock, sizeof(struct tact_rwlock_info));
	expect_told_by_size("sem", inquire_sem, sizeof(struct tact_sem_info));
	expect_told_by_size("task", inquire_task, sizeof(struct tact_task_info));
	expect_told_by_size("timer", inquire_timer, sizeof(struct tact_timer_info));
	expect_told_by_size("zqueue", inquire_zqueue, sizeof(struct tact_zqueue_info));
	expect_told_by_size("get_sched", get_sched, sizeof(struct tact_sched_param));
	expect_told_by_size("limits", get_limits, sizeof(struct tact_sched_limits));
}

TASK_TEST(inquiries_tell_as_much_as_both_know)
{
	expect_all_told(TACT_ON_CPU(0));
}

TEST_CPUS(2, inquiries_from_afar_tell_as_much_as_both_know)
{
	expect_all_told(TACT_ON_CPU(1));
}

/* The members are in their places, whatever the size. */
TASK_TEST(members_that_both_know_are_told)
{
	struct {
		struct tact_sem_info info;
		uint64_t newer;
	} later = {.info.size = sizeof(later), .newer = 0x5a};
	struct tact_sem_info first = {0};

	expect_ok(tact_sem_create("known", 3, 5, 0, &sem));
	expect_ok(tact_sem_inquire(sem, &first));
	expect_ok(tact_sem_inquire(sem, &later.info));
	expect_str(later.info.name, "known");
	expect_eq(later.info.value, 3);
	expect_eq(later.info.maximum, 5);
	/* The size may be chance, so nothing is written there. */
	expect_eq(later.newer, 0x5a);
	expect_ok(memcmp(&first, &later.info, sizeof(first)));
}

/* One that is left uninquired is not written at all. */
TASK_TEST(refused_calls_write_nothing)
{
	struct tact_sem_info info = {.value = 7};

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_sem_inquire(sem, &info), TACT_EIDRM);
	expect_eq(info.size, 0);
	expect_eq(info.value, 7);
}

static int expiry_of(void *expiry)
{
	return tact_timer_expiry(expiry);
}

static void ask_in_handler(void *unused)
{
	(void)unused;
	expect_told_by_size("expiry", expiry_of, sizeof(struct tact_timer_expiry));
	expect_ok(tact_timer_expiry(NULL));
}

TEST(expiry_is_told_as_much_as_both_know)
{
	struct tact_timer_expiry expiry = {.size = 3};

	test_in_handler(ask_in_handler, NULL);
	expect_error(tact_timer_expiry(&expiry), TACT_EPERM);
}

static void send_for_ever(void *unused)
{
	(void)unused;
	while (!tact_port_send(port, "x", 1, NULL, 0, TACT_FOREVER))
		continue;
}

static struct tact_port_info port_now(void)
{
	struct tact_port_info info = {0};

	expect_ok(tact_port_inquire(port, &info));
	return info;
}

/* A client of the other CPU may be on its way back. */
static int receive_and_reply(void *structure)
{
	struct tact_port_message message;
	char byte = 0;
	int result;

	while (!port_now().clients)
		expect_ok(tact_task_sleep(TEST_MS / 10));
	result = tact_port_receive(port, &byte, 1, structure, TACT_NOWAIT);
	if (result < 0) {
		/* It is there for the next one. */
		expect_eq(port_now().clients, 1);
		expect_eq(byte, 0);
		return result;
	}
	expect_eq(result, 1);
	expect_eq(byte, 'x');
	memcpy(&message, structure, sizeof(message));
	expect_eq(message.bytes, 1);
	expect_ok(tact_port_reply(port, message.request, NULL, 0));
	return 0;
}

static void expect_messages_told(uint32_t home)
{
	tact_task_t client;

	expect_ok(tact_port_create(NULL, home, &port));
	client = test_spawn_light(TEST_PRIORITY + 1, send_for_ever, NULL);
	expect_told_by_size("receive", receive_and_reply, sizeof(struct tact_port_message));
	expect_ok(tact_port_delete(port));
	test_join(client);
}

TASK_TEST(message_of_a_port_is_described_as_much_as_both_know)
{
	expect_messages_told(TACT_ON_CPU(0));
}

TASK_TEST_CPUS(2, message_of_a_port_of_another_cpu_is_described_as_much_as_both_know)
{
	expect_messages_told(TACT_ON_CPU(1));
}
