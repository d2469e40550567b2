/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of an object of another process: a task posts a semaphore that a second process of this
 * program owns, with an answer and without one. Both processes share the real-time CPU, and so do
 * the two processes of the counterpart.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"
#include "session.h"
#include "with.h"

#define TYPE  "bench"
#define NAME  "sem"
#define BATCH 32u /* posts, fewer than a ring holds */

enum service { POST = 1, NOTHING };

static pid_t owner_process, pong_process;
static int owner_input; /* its end is the owner's end */
static struct session_owner *owner;
static uint64_t object;

static int64_t serve(struct session_call *call)
{
	const tact_sem_t sem = {(uint32_t)call->object};

	return call->service == POST ? tact_sem_post(sem) : 0;
}

static const struct session_skin skin = {.id = SESSION_OTHER, .serve = serve};

static int start(void)
{
	const uint32_t cpu = (uint32_t)bench.cpu;
	const struct tact_config config = {
		.linux_cpu = &cpu,
		.share = 1,
		.priority = (uint32_t)bench.priority,
	};
	char reason[TACT_REASON_BYTES];

	if (!tact_start(&config, reason))
		return 0;
	fprintf(stderr, "tactus-bench: %s\n", reason);
	return -EPERM;
}

static int join(const char *label)
{
	char reason[SESSION_REASON_BYTES];

	if (!session_join(label, &skin, reason))
		return 0;
	fprintf(stderr, "tactus-bench: %s\n", reason);
	return -EPERM;
}

int bench_remote_owner(const char *label)
{
	tact_sem_t sem;
	char byte;

	if (start() || join(label) ||
	    tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_PRIO, &sem) ||
	    session_announce(TYPE, NAME, sem.id))
		return 1;
	(void)!write(STDOUT_FILENO, "", 1);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

/* Runs in the new process. */
static void become_owner(const char *label, int on_cpu, const int input[2], const int output[2])
{
	char cpu[16], priority[16];

	snprintf(cpu, sizeof(cpu), "%d", on_cpu);
	snprintf(priority, sizeof(priority), "%d", bench.priority);
	(void)dup2(input[0], STDIN_FILENO);
	(void)dup2(output[1], STDOUT_FILENO);
	for (int i = 0; i < 2; i++) {
		(void)close(input[i]);
		(void)close(output[i]);
	}
	execl("/proc/self/exe", "tactus-bench", "--owner", label, "--cpu", cpu, "--priority",
	      priority, (char *)NULL);
	_exit(1);
}

static int start_owner(const char *label, int on_cpu)
{
	int input[2], output[2];
	char ready;

	if (pipe(input) || pipe(output))
		return -errno;
	owner_process = fork();
	if (owner_process < 0)
		return -errno;
	if (!owner_process)
		become_owner(label, on_cpu, input, output);
	(void)close(input[0]);
	(void)close(output[1]);
	owner_input = input[1];
	if (read(output[0], &ready, 1) != 1)
		return -ESRCH;
	(void)close(output[0]);
	return 0;
}

/* The owner's real-time CPU must be shareable, so this process starts anew with that option. */
static int open_with_owner(int on_cpu)
{
	char label[SESSION_LABEL_BYTES];
	int error = tact_stop();

	snprintf(label, sizeof(label), "bench-%d", (int)getpid());
	if (!error)
		error = start_owner(label, on_cpu);
	if (!error)
		error = start();
	if (!error)
		error = join(label);
	if (!error)
		error = session_find(TYPE, NAME, &owner, &object);
	return error ? bench_failed("the other process", error) : 0;
}

static int open_beside(uint64_t operations)
{
	(void)operations;
	return open_with_owner(bench.cpu);
}

/* On another CPU, if there is one: an owner on the poster's CPU would run as soon as it is
 * notified. */
static int open_apart(uint64_t operations)
{
	int other = bench.cpu;
	cpu_set_t others;

	(void)operations;
	if (!sched_getaffinity(0, sizeof(others), &others))
		for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && other == bench.cpu; cpu--)
			if (CPU_ISSET(cpu, &others))
				other = cpu;
	return open_with_owner(other);
}

struct calls {
	uint64_t operations;
	double ns;
	int64_t error;
};

static int64_t call(enum service service)
{
	struct session_call call = {.skin = SESSION_OTHER,
				    .service = service,
				    .object = object,
				    .timeout = TACT_NOWAIT};

	return session_call(owner, &call);
}

static void call_often(void *argument)
{
	struct calls *calls = argument;
	double begun;

	/* The first call makes the connection. */
	calls->error = call(NOTHING);
	begun = bench_now_ns();
	for (uint64_t i = 0; i < calls->operations && !calls->error; i++)
		calls->error = call(POST);
	calls->ns = bench_now_ns() - begun;
}

static int post(void)
{
	struct session_call call = {.skin = SESSION_OTHER, .service = POST, .object = object};

	return session_post(owner, &call);
}

/* The time of the posts, without the call after each batch that waits until they are served. */
static void post_often(void *argument)
{
	struct calls *calls = argument;

	calls->error = call(NOTHING);
	for (uint64_t done = 0; done < calls->operations && !calls->error; done += BATCH) {
		double begun = bench_now_ns();

		for (uint32_t i = 0; i < BATCH && !calls->error; i++)
			calls->error = post();
		calls->ns += bench_now_ns() - begun;
		if (!calls->error)
			calls->error = call(NOTHING);
	}
}

static double run(void (*body)(void *), uint64_t operations)
{
	struct calls calls = {.operations = operations};
	struct bench_task task = {body, &calls, BENCH_PRIORITY, 0, {0}};
	int error = bench_tasks_run(&task, 1);

	if (error)
		return error;
	return calls.error ? bench_failed("a call of the other process", (int)calls.error)
			   : calls.ns;
}

static double run_calls(uint64_t operations)
{
	return run(call_often, operations);
}

static double run_posts(uint64_t operations)
{
	return run(post_often, operations);
}

/* The counterpart: two hand-overs, there and back, by a futex that two processes share. */
static struct pong {
	_Atomic uint32_t turn; /* 1: the other process's turn; 2: it must end */
} * pong;

static void futex(int operation, uint32_t value)
{
	(void)syscall(SYS_futex, &pong->turn, operation, value, NULL, NULL, 0);
}

static void await_turn(uint32_t other)
{
	while (atomic_load(&pong->turn) == other)
		futex(FUTEX_WAIT, other);
}

static void give_turn(uint32_t turn)
{
	atomic_store(&pong->turn, turn);
	futex(FUTEX_WAKE, 1);
}

static int on_cpu(void)
{
	const struct sched_param parameters = {.sched_priority = bench.priority};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(bench.cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return -errno;
	return bench.fifo && sched_setscheduler(0, SCHED_FIFO, &parameters) ? -errno : 0;
}

static void answer(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (on_cpu())
		_exit(1);
	for (;;) {
		await_turn(0);
		if (atomic_load(&pong->turn) == 2)
			_exit(0);
		give_turn(0);
	}
}

static void play(void *argument)
{
	struct calls *calls = argument;
	double begun = bench_now_ns();

	for (uint64_t i = 0; i < calls->operations; i++) {
		give_turn(1);
		await_turn(1);
	}
	calls->ns = bench_now_ns() - begun;
}

static int start_pong(void)
{
	if (pong)
		return 0;
	pong = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pong == MAP_FAILED)
		return -errno;
	pong_process = fork();
	if (!pong_process)
		answer();
	return pong_process < 0 ? -errno : 0;
}

static double run_futexes(uint64_t operations)
{
	struct calls calls = {.operations = operations};
	int error = start_pong();

	if (!error)
		error = bench_thread_run(play, &calls);
	return error ? bench_failed("two processes with a futex", error) : calls.ns;
}

static void end(pid_t process)
{
	if (process > 0)
		(void)waitpid(process, NULL, 0);
}

static void close_remote(void)
{
	/* It has also inherited the owner's input. */
	if (pong_process > 0)
		give_turn(2);
	end(pong_process);
	(void)close(owner_input);
	end(owner_process);
}

const struct bench_row bench_remote_call = {
	.name = "remote_call",
	.what = "call of another process: post a semaphore there, with an answer",
	.peer = "two hand-overs by a futex between two SCHED_FIFO processes on the same CPU",
	.operations = 2000,
	.peer_operations = 2000,
	.rounds = 20,
	.open = open_beside,
	.run = run_calls,
	.peer_run = run_futexes,
	.close = close_remote,
};

const struct bench_row bench_remote_post = {
	.name = "remote_post",
	.what = "the same without an answer: the time that the poster spends",
	.peer = "two hand-overs by a futex between two SCHED_FIFO processes on the same CPU",
	.operations = 2048,
	.peer_operations = 2000,
	.rounds = 20,
	.open = open_apart,
	.run = run_posts,
	.peer_run = run_futexes,
	.close = close_remote,
};
