/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread back end's own records. A real-time CPU is a pinned Linux thread, its *dispatcher*;
 * README.md explains the mechanism.
 */
#ifndef THREAD_THREAD_H
#define THREAD_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doorbell.h"
#include "port.h"
#include "program.h"

/*
 * Events (kicks and shots) come by signal 33. Of all signals, this is the one that programs can
 * neither take nor block nor wait for, and debuggers pass it on silently. si_code tells whose it
 * is: the C library sends by tgkill(). An unused standard signal would not do: debuggers lose
 * signals for which they have no name.
 */
#define THREAD_SIGNAL_EVENT LINUX_SIGNAL_SETXID

/* One real-time CPU. */
struct thread_port {
	struct linux_port common; /* first: hal_cpu.port is both */
	/* Its kicks, in memory that processes share which attach its doorbell. Constant. */
	struct hal_doorbell *doorbell;
	int doorbell_file;
	bool doorbell_lent;                  /* to a doorbell: */
	_Atomic uint32_t doorbell_interrupt; /* the bit of hal_cpu.interrupts for its rings */
	_Alignas(LINUX_CACHE_LINE) uint64_t busy_since_ns; /* end of the last idle time */
	uint64_t requested_ns; /* the earliest shot requested since, relative to it;
				  HAL_NO_DEADLINE: none */
	int timer;
	int kick_timer; /* if no signal can be queued */
	/* The latest fault for which an event was sent to move the task to its shadow, and that
	 * event's number among `signals`. */
	struct hal_fault fault;
	uint64_t fault_event; /* 0: there was none */
	stack_t fault_stack;
	bool learns;        /* the program gave no idle_ns: idle.c adapts it to the wake-ups */
	uint64_t tls;       /* the dispatcher's own */
	_Atomic bool traps; /* it serves: its calls trap (setxid.c) */
	pthread_t thread;
	/* The helper (helper.c): sleeps until helper_until_ns, wakes early when helper_word
	 * changes. */
	pthread_t helper;
	bool helper_runs;
	_Atomic uint32_t helper_word;
	_Atomic uint64_t helper_until_ns;
	_Atomic bool helper_stop;
	/* follow.c */
	_Atomic bool follows;       /* what the dispatcher has adopted; not before it serves */
	_Atomic uint32_t followed;  /* the dispatcher's Linux priority */
	uint64_t ran_ns, waited_ns; /* the housekeeper's, like the next three: at its last round */
	uint32_t starved_rounds;
	uint32_t moved_rounds; /* for how many more rounds it is on another CPU; 0: on its own */
	uint32_t moved_cpu;
	_Atomic uint32_t moving; /* the dispatcher is changing it */
	int fault_fd[2];         /* page_faults.c: minor and major ones, -1: none */
	void *fault_ring;
	int error; /* why it did not start */
};

_Static_assert(offsetof(struct thread_port, common) == 0, "linux_port_of()");

/* Constant between hal_start() and hal_stop() unless atomic; linux_program has the rest. */
struct thread_program {
	struct thread_port *ports;
	enum linux_shot shot;
	uint32_t event_cost_ns; /* what calibration measured */
	_Atomic bool follows;   /* dispatchers must have the running task's Linux priority */
	uint64_t dispatcher_mask;
};
extern struct thread_program thread_program;

/* options.c: for linux_program_begin(). */
int thread_options_parse(const char *text, struct linux_options *options,
			 char reason[HAL_REASON_BYTES]);

/* Take the rings, at this CPU's own page and at others. Context: stalled, on this CPU, after the
 * kick that came with them was taken. */
static inline void thread_bells_take(struct thread_port *port)
{
	linux_doorbells_take(&port->common);
	if (atomic_load_explicit(&port->doorbell->rung, memory_order_relaxed) &&
	    atomic_load_explicit(&port->doorbell_interrupt, memory_order_relaxed) &&
	    atomic_exchange(&port->doorbell->rung, 0))
		port->common.cpu->interrupts |=
			atomic_load_explicit(&port->doorbell_interrupt, memory_order_relaxed);
}

static inline struct thread_port *thread_port_of(const struct hal_cpu *cpu)
{
	return cpu->port;
}

#endif
