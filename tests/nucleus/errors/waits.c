/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "waits.h"

#include <tactus/skin.h>

#define FULL "0123456789abcdef"

static struct {
	tact_barrier_t barrier;
	tact_buffer_t full_buffer, empty_buffer;
	tact_cond_t cond;
	tact_event_t event, ruled;
	tact_zqueue_t zqueue;
	tact_heap_t heap;
	tact_mailbox_t full_mailbox, empty_mailbox;
	tact_mutex_t owned, free;
	tact_pipe_t pipe;
	tact_pool_t pool;
	tact_port_t port;
	tact_queue_t full_queue, empty_queue;
	tact_rwlock_t rwlock;
	tact_sem_t sem;
	tact_task_t holder, safe;
} all;
static uint64_t word;
static uintptr_t empty_word;

/* It owns what others want, and does not end. */
static void hold(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(all.owned, TACT_NOWAIT));
	expect_ok(tact_rwlock_write(all.rwlock, TACT_NOWAIT));
	(void)tact_task_suspend(TACT_SELF);
}

/* It is safe from deletion, and does not end. */
static void be_safe(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	(void)tact_task_suspend(TACT_SELF);
}

static void make_full(void)
{
	void *block;

	expect_ok(tact_buffer_create(NULL, 16, 0, &all.full_buffer));
	expect_eq(tact_buffer_write(all.full_buffer, FULL, 16, TACT_BUFFER_WHOLE, TACT_NOWAIT), 16);
	expect_ok(tact_heap_create(NULL, NULL, TACT_HEAP_BYTES_MIN, 0, &all.heap));
	while (!tact_heap_alloc(all.heap, 512, TACT_NOWAIT, &block))
		;
	expect_ok(tact_mailbox_create(NULL, 1, 0, &all.full_mailbox));
	expect_ok(tact_mailbox_post(all.full_mailbox, 1, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	expect_ok(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, 0, &all.pipe));
	while (!tact_pipe_write(all.pipe, "0123456", 7, TACT_NOWAIT))
		;
	expect_ok(tact_pool_create(NULL, 16, 1, NULL, 0, &all.pool));
	expect_ok(tact_pool_get(all.pool, TACT_NOWAIT, &block));
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &all.full_queue));
	expect_ok(tact_queue_send(all.full_queue, "x", 1, TACT_QUEUE_NORMAL, TACT_NOWAIT));
}

static void make_empty(void)
{
	expect_ok(tact_barrier_create(NULL, 2, 0, &all.barrier));
	expect_ok(tact_buffer_create(NULL, 16, 0, &all.empty_buffer));
	expect_ok(tact_cond_create(NULL, 0, &all.cond));
	expect_ok(tact_event_create(NULL, 0, 0, &all.event));
	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &all.ruled));
	expect_ok(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 1, 0, &all.zqueue));
	expect_ok(tact_mailbox_create(NULL, 1, 0, &all.empty_mailbox));
	expect_ok(tact_mutex_create(NULL, 0, 0, &all.free));
	expect_ok(tact_port_create(NULL, 0, &all.port));
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &all.empty_queue));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &all.sem));
}

void waits_make(void)
{
	make_full();
	make_empty();
	expect_ok(tact_mutex_create(NULL, 0, 0, &all.owned));
	expect_ok(tact_rwlock_create(NULL, 1, 0, &all.rwlock));
	all.holder = test_spawn_light(TEST_PRIORITY, hold, NULL);
	test_until_state(all.holder, TACT_TASK_STATE_SUSPENDED);
	all.safe = test_spawn_light(TEST_PRIORITY, be_safe, NULL);
	test_until_state(all.safe, TACT_TASK_STATE_SUSPENDED);
}

void waits_expect(const struct waits_row *row, const char *what, int actual, int expected)
{
	if (actual != expected)
		test_fail(__FILE__, __LINE__, "%s, %s: expected %d, actual %d", row->name, what,
			  expected, actual);
}

static int barrier(tact_timeout_t timeout)
{
	return tact_barrier_wait(all.barrier, timeout);
}

static int buffer_write(tact_timeout_t timeout)
{
	return tact_buffer_write(all.full_buffer, "x", 1, TACT_BUFFER_WHOLE, timeout);
}

static int buffer_read(tact_timeout_t timeout)
{
	char byte;

	return tact_buffer_read(all.empty_buffer, &byte, 1, TACT_BUFFER_WHOLE, timeout);
}

static int cond(tact_timeout_t timeout)
{
	int result;

	expect_ok(tact_mutex_lock(all.free, TACT_FOREVER));
	result = tact_cond_wait(all.cond, all.free, timeout);
	expect_ok(tact_mutex_unlock(all.free));
	return result;
}

static int event(tact_timeout_t timeout)
{
	return tact_event_wait(all.event, 1, TACT_EVENT_ANY, timeout, NULL);
}

static int event_rule(tact_timeout_t timeout)
{
	const struct tact_event_rule rule = {.size = sizeof(rule), .term = {{.bits = 1}}};

	return tact_event_wait_rule(all.ruled, &rule, timeout, NULL);
}

static int find(tact_timeout_t timeout)
{
	return tact_find("nobody", timeout, NULL);
}

static int heap(tact_timeout_t timeout)
{
	void *block;

	return tact_heap_alloc(all.heap, 512, timeout, &block);
}

static int join(tact_timeout_t timeout)
{
	return tact_task_join(all.holder, timeout);
}

static int delete_unsafe(tact_timeout_t timeout)
{
	return tact_task_delete_unsafe(all.safe, timeout);
}

static int mailbox_post(tact_timeout_t timeout)
{
	return tact_mailbox_post(all.full_mailbox, 2, TACT_MAILBOX_NORMAL, timeout);
}

static int mailbox_pend(tact_timeout_t timeout)
{
	return tact_mailbox_pend(all.empty_mailbox, NULL, timeout);
}

static int mutex(tact_timeout_t timeout)
{
	return tact_mutex_lock(all.owned, timeout);
}

static int pipe_write(tact_timeout_t timeout)
{
	return tact_pipe_write(all.pipe, "0123456", 7, timeout);
}

static int pipe_read(tact_timeout_t timeout)
{
	return tact_pipe_read(all.pipe, NULL, 0, timeout);
}

static int pool(tact_timeout_t timeout)
{
	void *block;

	return tact_pool_get(all.pool, timeout, &block);
}

static int port_send(tact_timeout_t timeout)
{
	return tact_port_send(all.port, "x", 1, NULL, 0, timeout);
}

static int port_call(tact_timeout_t timeout)
{
	const struct tact_call_rule rule = {.size = sizeof(rule), .pattern = 1};

	return tact_port_call(all.port, &rule, "x", 1, NULL, 0, timeout);
}

static int port_accept(tact_timeout_t timeout)
{
	const struct tact_accept_rule rule = {.size = sizeof(rule), .pattern = 1};

	return tact_port_accept(all.port, &rule, NULL, 0, NULL, timeout);
}

static int port_receive(tact_timeout_t timeout)
{
	return tact_port_receive(all.port, NULL, 0, NULL, timeout);
}

static int queue_send(tact_timeout_t timeout)
{
	return tact_queue_send(all.full_queue, "x", 1, TACT_QUEUE_NORMAL, timeout);
}

static int queue_receive(tact_timeout_t timeout)
{
	return tact_queue_receive(all.empty_queue, NULL, 0, NULL, timeout);
}

static int rwlock_read(tact_timeout_t timeout)
{
	return tact_rwlock_read(all.rwlock, timeout);
}

static int rwlock_write(tact_timeout_t timeout)
{
	return tact_rwlock_write(all.rwlock, timeout);
}

static int sem_wait(tact_timeout_t timeout)
{
	return tact_sem_wait(all.sem, timeout);
}

static int sem_wait_while(tact_timeout_t timeout)
{
	return tact_sem_wait_while(all.sem, timeout, &word, 0);
}

static int sem_wait_units(tact_timeout_t timeout)
{
	int32_t units;

	return tact_sem_wait_units(all.sem, timeout, &units);
}

static int sleep_for(tact_timeout_t timeout)
{
	(void)timeout;
	return tact_task_sleep(10000 * TEST_MS);
}

static int sleep_until(tact_timeout_t timeout)
{
	return tact_task_sleep_until(timeout);
}

static int wait_period(tact_timeout_t timeout)
{
	(void)timeout;
	expect_ok(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, 10000 * TEST_MS));
	return tact_task_wait_period(NULL, NULL);
}

static int wait_any(tact_timeout_t timeout)
{
	struct tact_wait_item item[2] = {tact_wait_sem(all.sem, 0),
					 tact_wait_mailbox(all.empty_mailbox, 1)};

	return tact_wait_any(item, 2, timeout, NULL);
}

static int zqueue_receive(tact_timeout_t timeout)
{
	void *message;

	return tact_zqueue_receive(all.zqueue, &message, timeout);
}

static int zqueue_read(tact_timeout_t timeout)
{
	return tact_zqueue_read(all.zqueue, NULL, 0, timeout);
}

static int word_pend(tact_timeout_t timeout)
{
	return tact_word_pend(0, &empty_word, NULL, timeout);
}

/* What deletes an object, or ends all its waits. */
#define ENDS(name, call)      \
	static int name(void) \
	{                     \
		return call;  \
	}

ENDS(delete_barrier, tact_barrier_delete(all.barrier))
ENDS(flush_barrier, tact_barrier_flush(all.barrier))
ENDS(delete_full_buffer, tact_buffer_delete(all.full_buffer))
ENDS(delete_empty_buffer, tact_buffer_delete(all.empty_buffer))
ENDS(delete_cond, tact_cond_delete(all.cond))
ENDS(delete_event, tact_event_delete(all.event))
ENDS(flush_event, tact_event_flush(all.event))
ENDS(delete_ruled, tact_event_delete(all.ruled))
ENDS(flush_ruled, tact_event_flush(all.ruled))
ENDS(delete_heap, tact_heap_delete(all.heap))
ENDS(delete_full_mailbox, tact_mailbox_delete(all.full_mailbox))
ENDS(reset_full_mailbox, tact_mailbox_reset(all.full_mailbox))
ENDS(delete_empty_mailbox, tact_mailbox_delete(all.empty_mailbox))
ENDS(reset_empty_mailbox, tact_mailbox_reset(all.empty_mailbox))
ENDS(delete_mutex, tact_mutex_delete(all.owned))
ENDS(delete_pipe, tact_pipe_delete(all.pipe))
ENDS(delete_pool, tact_pool_delete(all.pool))
ENDS(delete_port, tact_port_delete(all.port))
ENDS(delete_full_queue, tact_queue_delete(all.full_queue))
ENDS(reset_full_queue, tact_queue_reset(all.full_queue))
ENDS(delete_empty_queue, tact_queue_delete(all.empty_queue))
ENDS(reset_empty_queue, tact_queue_reset(all.empty_queue))
ENDS(delete_rwlock, tact_rwlock_delete(all.rwlock))
ENDS(delete_sem, tact_sem_delete(all.sem))
ENDS(flush_sem, tact_sem_flush(all.sem))
ENDS(delete_zqueue, tact_zqueue_delete(all.zqueue))

#define WAITING  TACT_TASK_STATE_WAITING
#define SLEEPING TACT_TASK_STATE_SLEEPING
#define BY_TASKS (WAITS_TIMEOUT | WAITS_DELETED | WAITS_TIMER)
#define ALL      (BY_TASKS | WAITS_LINUX)

const struct waits_row waits_rows[] = {
	{"tact_barrier_wait", barrier, ALL, WAITING, delete_barrier, flush_barrier},
	{"tact_buffer_read", buffer_read, ALL, WAITING, delete_empty_buffer, NULL},
	{"tact_buffer_write", buffer_write, ALL, WAITING, delete_full_buffer, NULL},
	{"tact_cond_wait", cond, BY_TASKS, WAITING, delete_cond, NULL},
	{"tact_event_wait", event, ALL, WAITING, delete_event, flush_event},
	{"tact_event_wait_rule", event_rule, ALL, WAITING, delete_ruled, flush_ruled},
	{"tact_find", find, WAITS_TIMEOUT | WAITS_TIMER | WAITS_LINUX, WAITING, NULL, NULL},
	{"tact_heap_alloc", heap, ALL, WAITING, delete_heap, NULL},
	{"tact_mailbox_pend", mailbox_pend, ALL, WAITING, delete_empty_mailbox,
	 reset_empty_mailbox},
	{"tact_mailbox_post", mailbox_post, ALL, WAITING, delete_full_mailbox, reset_full_mailbox},
	{"tact_mutex_lock", mutex, BY_TASKS, WAITING, delete_mutex, NULL},
	{"tact_pipe_read", pipe_read, ALL, WAITING, delete_pipe, NULL},
	{"tact_pipe_write", pipe_write, ALL, WAITING, delete_pipe, NULL},
	{"tact_pool_get", pool, ALL, WAITING, delete_pool, NULL},
	{"tact_port_accept", port_accept, ALL, WAITING, delete_port, NULL},
	{"tact_port_call", port_call, ALL, WAITING, delete_port, NULL},
	{"tact_port_receive", port_receive, ALL, WAITING, delete_port, NULL},
	{"tact_port_send", port_send, ALL, WAITING, delete_port, NULL},
	{"tact_queue_receive", queue_receive, ALL, WAITING, delete_empty_queue, reset_empty_queue},
	{"tact_queue_send", queue_send, ALL, WAITING, delete_full_queue, reset_full_queue},
	{"tact_rwlock_read", rwlock_read, BY_TASKS, WAITING, delete_rwlock, NULL},
	{"tact_rwlock_write", rwlock_write, BY_TASKS, WAITING, delete_rwlock, NULL},
	{"tact_sem_wait", sem_wait, ALL, WAITING, delete_sem, flush_sem},
	{"tact_sem_wait_units", sem_wait_units, ALL, WAITING, delete_sem, flush_sem},
	{"tact_sem_wait_while", sem_wait_while, ALL, WAITING, delete_sem, flush_sem},
	{"tact_task_delete_unsafe", delete_unsafe, WAITS_TIMEOUT | WAITS_TIMER | WAITS_LINUX,
	 WAITING, NULL, NULL},
	{"tact_task_join", join, WAITS_TIMEOUT, WAITING, NULL, NULL},
	{"tact_task_sleep", sleep_for, 0, SLEEPING, NULL, NULL},
	{"tact_task_sleep_until", sleep_until, 0, SLEEPING, NULL, NULL},
	{"tact_task_wait_period", wait_period, 0, SLEEPING, NULL, NULL},
	{"tact_wait_any", wait_any, WAITS_TIMEOUT | WAITS_DELETED | WAITS_LINUX, WAITING,
	 delete_sem, flush_sem},
	{"tact_word_pend", word_pend, WAITS_TIMEOUT | WAITS_TIMER, WAITING, NULL, NULL},
	{"tact_zqueue_read", zqueue_read, ALL, WAITING, delete_zqueue, NULL},
	{"tact_zqueue_receive", zqueue_receive, ALL, WAITING, delete_zqueue, NULL},
};
const unsigned waits_count = sizeof(waits_rows) / sizeof(waits_rows[0]);
