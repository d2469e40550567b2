/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A dispatcher: the Linux thread that is a real-time CPU. It prepares itself, reports, waits until
 * all are ready, and then belongs to the nucleus until nuc_upcall_start() returns.
 */
#define _GNU_SOURCE

#include "dispatcher.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "arch/context.h"
#include "arch/self.h"
#include "base/error.h"
#include "calibrate.h"
#include "call.h"
#include "memory/fault_stack.h"
#include "program.h"
#include "rseq.h"
#include "sanitized.h"
#include "shot.h"
#include "thread.h"
#include "tls.h"

#define STACK_BYTES (256u * 1024u)
#define TOUCH_BYTES (128u * 1024u)

static _Atomic uint32_t ready_count;
static _Atomic uint32_t verdict; /* 0: wait; otherwise what to do */

/* Populate the part of the stack that will be used; the caller's frame is above it. */
static __attribute__((noinline)) void touch_stack(void)
{
	volatile char stack[TOUCH_BYTES];

	for (size_t at = 0; at < sizeof(stack); at += 4096)
		stack[at] = 0;
}

static int prepare(struct thread_port *port)
{
	int error;

	port->common.tid = call_gettid();
	port->tls = hal_arch_tls();
	port->common.cpu->self.stalled = 1;
	linux_rseq_leave();
	hal_arch_sanitizer_thread();
	error = linux_fault_stack_get(&port->fault_stack);
	if (error)
		return error;
	call_sigaltstack(&port->fault_stack, NULL);
	hal_arch_self_set(&port->common.cpu->self);
	call_sigmask(SIG_SETMASK, &thread_program.dispatcher_mask, NULL);
	touch_stack();
	thread_page_faults_open(port);
	error = thread_shot_open(port, port->common.cpu->index == 0);
	if (error)
		return error;
	if (linux_program.fifo && linux_is_sanitized() &&
	    call_scheduler(port->common.tid, linux_program.priority))
		return -TACT_EPERM;
	if (port->common.cpu->index == 0 && port->common.gravity.idle_ns == HAL_GRAVITY_UNSET)
		port->common.gravity.idle_ns = thread_calibrate_idle();
	return 0;
}

/*
 * `traps` is set before the trap is switched, on or off. thread_setxid(), which may come between
 * the two, then leaves the trap as it will be.
 */
static void serve(struct thread_port *port)
{
	atomic_store(&port->traps, true);
	call_trap_on();
	nuc_upcall_start(port->common.cpu);
	atomic_store(&port->traps, false);
	call_trap_off();
	/* The TLS base of the last task is still in place. */
	hal_arch_tls_set(port->tls);
}

static void *dispatcher(void *argument)
{
	struct thread_port *port = argument;
	const stack_t none = {.ss_flags = SS_DISABLE};
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID);

	port->error = prepare(port);
	atomic_fetch_add(&ready_count, 1);
	call_futex_wake(&ready_count, INT_MAX);
	while (atomic_load(&verdict) == DISPATCHER_WAIT)
		call_futex_wait(&verdict, DISPATCHER_WAIT, NULL);

	if (atomic_load(&verdict) == DISPATCHER_SERVE)
		serve(port);
	port->common.cpu->self.stalled = 1;
	thread_shot_disarm(port);
	thread_shot_close(port);
	thread_page_faults_close(port);
	call_sigmask(SIG_SETMASK, &all, NULL);
	hal_arch_self_set(NULL);
	call_sigaltstack(&none, NULL);
	linux_ends();
	return NULL;
}

/*
 * The thread begins with its priority: an ordinary thread may wait for its first turn as long as
 * others compute on its CPU, and hal_start() waits for it. Under a sanitizer the thread sets its
 * priority itself (sanitized.c).
 */
static void have_priority(pthread_attr_t *attributes)
{
	struct sched_param parameter = {.sched_priority = (int)linux_program.priority};

	pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(attributes, SCHED_FIFO);
	pthread_attr_setschedparam(attributes, &parameter);
}

int dispatcher_create(struct thread_port *port)
{
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	pthread_attr_t attributes;
	char name[16] = "tactus-cpu";
	cpu_set_t set;
	int error;

	CPU_ZERO(&set);
	CPU_SET(port->common.cpu->linux_cpu, &set);
	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, STACK_BYTES);
	pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	if (linux_program.fifo && !linux_is_sanitized())
		have_priority(&attributes);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = pthread_create(&port->thread, &attributes, dispatcher, port);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	if (error)
		return -error;
	name[10] = (char)('0' + port->common.cpu->index / 10);
	name[11] = (char)('0' + port->common.cpu->index % 10);
	pthread_setname_np(port->thread, name);
	return 0;
}

int dispatchers_ready(unsigned count)
{
	uint32_t ready;

	while ((ready = atomic_load(&ready_count)) < count)
		call_futex_wait(&ready_count, ready, NULL);
	for (unsigned i = 0; i < count; i++)
		if (thread_program.ports[i].error)
			return thread_program.ports[i].error;
	return 0;
}

void dispatchers_report(enum dispatcher_verdict what)
{
	atomic_store(&verdict, what);
	call_futex_wake(&verdict, INT_MAX);
}

void dispatchers_join(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		pthread_join(thread_program.ports[i].thread, NULL);
		linux_fault_stack_put(&thread_program.ports[i].fault_stack);
	}
	atomic_store(&ready_count, 0);
	atomic_store(&verdict, DISPATCHER_WAIT);
}
