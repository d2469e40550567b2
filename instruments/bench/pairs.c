/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pairs of calls that undo each other, in one task, while no task waits: semaphore and message
 * queue. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define MESSAGE_BYTES 32u

struct loop {
	uint64_t operations;
	double ns;
	int error;
};

static tact_sem_t sem;
static tact_queue_t queue;
static sem_t semaphore;
static mqd_t messages;

static void tactus_sem(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= tact_sem_post(sem);
		loop->error |= tact_sem_wait(sem, TACT_FOREVER);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void posix_sem(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= sem_post(&semaphore);
		loop->error |= sem_wait(&semaphore);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void tactus_queue(void *argument)
{
	struct loop *loop = argument;
	char message[MESSAGE_BYTES] = {0};
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= tact_queue_send(queue, message, sizeof(message), TACT_QUEUE_NORMAL,
					       TACT_FOREVER);
		loop->error |= tact_queue_receive(queue, message, sizeof(message), NULL,
						  TACT_FOREVER) != MESSAGE_BYTES;
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void posix_queue(void *argument)
{
	struct loop *loop = argument;
	char message[MESSAGE_BYTES] = {0};
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= mq_send(messages, message, sizeof(message), 0);
		loop->error |=
			mq_receive(messages, message, sizeof(message), NULL) != MESSAGE_BYTES;
	}
	loop->ns = bench_now_ns() - start_ns;
}

static double in_task(void (*body)(void *), uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_task_run(body, &loop))
		return -1;
	return loop.error ? (double)bench_failed("a call", -TACT_EINVAL) : loop.ns;
}

static double in_thread(void (*body)(void *), uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_thread_run(body, &loop))
		return -1;
	return loop.error ? (double)bench_failed("a call of Linux", -TACT_EINVAL) : loop.ns;
}

static int open_sem(uint64_t operations)
{
	int error = tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem);

	(void)operations;
	(void)sem_init(&semaphore, 0, 0);
	return error ? bench_failed("tact_sem_create()", error) : 0;
}

static int open_queue(uint64_t operations)
{
	struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = MESSAGE_BYTES};
	char name[32];
	int error = tact_queue_create(NULL, MESSAGE_BYTES, 8, TACT_PRIO, &queue);

	(void)operations;
	if (error)
		return bench_failed("tact_queue_create()", error);
	if (bench.on_sim)
		return 0;
	snprintf(name, sizeof(name), "/tactus-bench-%d", getpid());
	messages = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	if (messages == (mqd_t)-1)
		return bench_failed("mq_open()", -errno);
	(void)mq_unlink(name);
	return 0;
}

static void close_sem(void)
{
	(void)tact_sem_delete(sem);
}

static void close_queue(void)
{
	(void)tact_queue_delete(queue);
}

static double run_sem(uint64_t operations)
{
	return in_task(tactus_sem, operations);
}

static double run_sem_peer(uint64_t operations)
{
	return in_thread(posix_sem, operations);
}

static double run_queue(uint64_t operations)
{
	return in_task(tactus_queue, operations);
}

static double run_queue_peer(uint64_t operations)
{
	return in_thread(posix_queue, operations);
}

const struct bench_row bench_sem_uncontended = {
	.name = "sem_uncontended",
	.what = "semaphore, post and wait without a waiter, full task",
	.peer = "sem_t, no thread waits",
	.operations = 200000,
	.peer_operations = 200000,
	.rounds = 25,
	.open = open_sem,
	.run = run_sem,
	.peer_run = run_sem_peer,
	.close = close_sem,
};

const struct bench_row bench_queue_send_receive = {
	.name = "queue_send_receive",
	.what = "message queue, send and receive of 32 bytes, full task",
	.peer = "mq_send() and mq_receive() of 32 bytes",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.open = open_queue,
	.run = run_queue,
	.peer_run = run_queue_peer,
	.close = close_queue,
};
