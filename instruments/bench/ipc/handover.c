/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hand-over of the processor with data or a signal, one way; like bench/handoff.c with semaphore
 * and event flags. Linux sends a signal to a thread, which waits for it. The counterpart is a flag
 * of an event group, because Tactus's own interface has no signals.
 */
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/pair.h"
#include "bench/rows.h"

#define MESSAGE_BYTES 32

static tact_queue_t queue[2];
static tact_buffer_t buffer[2];
static tact_event_t event[2];
static mqd_t mq[2];
static int pipe_fd[2][2];
static _Atomic pid_t thread[2];

PAIR_INLINE void queue_give(int side)
{
	char message[MESSAGE_BYTES] = {0};

	bench_pair_error |= tact_queue_send(queue[side], message, sizeof(message),
					    TACT_QUEUE_NORMAL, TACT_FOREVER);
}

PAIR_INLINE void queue_take(int side)
{
	char message[MESSAGE_BYTES];

	bench_pair_error |= tact_queue_receive(queue[side], message, sizeof(message), NULL,
					       TACT_FOREVER) != MESSAGE_BYTES;
}

PAIR_INLINE void mq_give(int side)
{
	char message[MESSAGE_BYTES] = {0};

	bench_pair_error |= mq_send(mq[side], message, sizeof(message), 0);
}

PAIR_INLINE void mq_take(int side)
{
	char message[MESSAGE_BYTES];

	bench_pair_error |= mq_receive(mq[side], message, sizeof(message), NULL) != MESSAGE_BYTES;
}

PAIR_INLINE void buffer_give(int side)
{
	char bytes[MESSAGE_BYTES] = {0};

	bench_pair_error |= tact_buffer_write(buffer[side], bytes, sizeof(bytes), TACT_BUFFER_WHOLE,
					      TACT_FOREVER) != MESSAGE_BYTES;
}

PAIR_INLINE void buffer_take(int side)
{
	char bytes[MESSAGE_BYTES];

	bench_pair_error |= tact_buffer_read(buffer[side], bytes, sizeof(bytes), TACT_BUFFER_WHOLE,
					     TACT_FOREVER) != MESSAGE_BYTES;
}

PAIR_INLINE void pipe_give(int side)
{
	char bytes[MESSAGE_BYTES] = {0};

	bench_pair_error |= write(pipe_fd[side][1], bytes, sizeof(bytes)) != MESSAGE_BYTES;
}

PAIR_INLINE void pipe_take(int side)
{
	char bytes[MESSAGE_BYTES];

	bench_pair_error |= read(pipe_fd[side][0], bytes, sizeof(bytes)) != MESSAGE_BYTES;
}

PAIR_INLINE void flag_give(int side)
{
	bench_pair_error |= tact_event_set(event[side], 1) < 0;
}

PAIR_INLINE void flag_take(int side)
{
	bench_pair_error |= tact_event_wait(event[side], 1, TACT_EVENT_ALL | TACT_EVENT_CONSUME,
					    TACT_FOREVER, NULL);
}

PAIR_INLINE void signal_give(int side)
{
	bench_pair_error |= (int)syscall(SYS_tgkill, getpid(), thread[side], SIGUSR1);
}

PAIR_INLINE void signal_take(int side)
{
	sigset_t set;

	(void)side;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	while (sigwaitinfo(&set, NULL) < 0)
		;
}

static void queue_lead(void *pair)
{
	pair_lead(pair, queue_give, queue_take);
}

static void queue_follow(void *pair)
{
	pair_follow(pair, queue_give, queue_take);
}

static void mq_lead(void *pair)
{
	pair_lead(pair, mq_give, mq_take);
}

static void mq_follow(void *pair)
{
	pair_follow(pair, mq_give, mq_take);
}

static void buffer_lead(void *pair)
{
	pair_lead(pair, buffer_give, buffer_take);
}

static void buffer_follow(void *pair)
{
	pair_follow(pair, buffer_give, buffer_take);
}

static void pipe_lead(void *pair)
{
	pair_lead(pair, pipe_give, pipe_take);
}

static void pipe_follow(void *pair)
{
	pair_follow(pair, pipe_give, pipe_take);
}

static void flag_lead(void *pair)
{
	pair_lead(pair, flag_give, flag_take);
}

static void flag_follow(void *pair)
{
	pair_follow(pair, flag_give, flag_take);
}

/* Both know the other's number, and block the signal, before the first one is sent. */
static void meet(int side)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	atomic_store(&thread[side], (pid_t)syscall(SYS_gettid));
	while (atomic_load(&thread[!side]) == 0)
		(void)sched_yield();
}

static void signal_lead(void *pair)
{
	meet(0);
	pair_lead(pair, signal_give, signal_take);
}

static void signal_follow(void *pair)
{
	meet(1);
	pair_follow(pair, signal_give, signal_take);
}

static int open_queues(uint64_t operations)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = MESSAGE_BYTES};

	(void)operations;
	for (int side = 0; side < 2; side++) {
		int error = tact_queue_create(NULL, MESSAGE_BYTES, 4, TACT_PRIO, &queue[side]);
		char name[48];

		if (error)
			return bench_failed("tact_queue_create()", error);
		if (bench.on_sim)
			continue;
		(void)snprintf(name, sizeof(name), "/tactus-ipc-%d-%d", getpid(), side);
		mq[side] = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
		if (mq[side] == (mqd_t)-1)
			return bench_failed("mq_open()", -errno);
		(void)mq_unlink(name);
	}
	return 0;
}

static int open_pipes(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int error = tact_buffer_create(NULL, 4 * MESSAGE_BYTES, TACT_PRIO, &buffer[side]);

		if (error)
			return bench_failed("tact_buffer_create()", error);
		if (pipe2(pipe_fd[side], O_CLOEXEC) < 0)
			return bench_failed("pipe2()", -errno);
	}
	return 0;
}

static int open_flags(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int error = tact_event_create(NULL, 0, TACT_PRIO, &event[side]);

		if (error)
			return bench_failed("tact_event_create()", error);
	}
	return 0;
}

static void close_queues(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_queue_delete(queue[side]);
}

static void close_pipes(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_buffer_delete(buffer[side]);
}

static void close_flags(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_event_delete(event[side]);
}

static double run_queue(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, queue_lead, queue_follow);
}

static double run_queue_peer(uint64_t operations)
{
	return bench_pair_threads(operations, mq_lead, mq_follow);
}

static double run_pipe(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, buffer_lead, buffer_follow);
}

static double run_pipe_peer(uint64_t operations)
{
	return bench_pair_threads(operations, pipe_lead, pipe_follow);
}

static double run_signal(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, flag_lead, flag_follow);
}

static double run_signal_peer(uint64_t operations)
{
	atomic_store(&thread[0], 0);
	atomic_store(&thread[1], 0);
	return bench_pair_threads(operations, signal_lead, signal_follow);
}

const struct bench_row ipc_queue = {
	.name = "ipc_queue",
	.what = "hand-over through a message queue, 32 bytes, full tasks, one way",
	.peer = "mq_send() and mq_receive() of 32 bytes, two SCHED_FIFO pthreads on the same CPU",
	.operations = 50000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = open_queues,
	.run = run_queue,
	.peer_run = run_queue_peer,
	.close = close_queues,
};

const struct bench_row ipc_pipe = {
	.name = "ipc_pipe",
	.what = "hand-over through a byte stream (buffer), 32 bytes, full tasks, one way",
	.peer = "pipe(), 32 bytes, two SCHED_FIFO pthreads on the same CPU",
	.operations = 50000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = open_pipes,
	.run = run_pipe,
	.peer_run = run_pipe_peer,
	.close = close_pipes,
};

const struct bench_row ipc_signal = {
	.name = "ipc_signal",
	.what = "hand-over through a flag of an event group, full tasks, one way",
	.peer = "tgkill() and sigwaitinfo(), two SCHED_FIFO pthreads on the same CPU",
	.operations = 50000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = open_flags,
	.run = run_signal,
	.peer_run = run_signal_peer,
	.close = close_flags,
};
