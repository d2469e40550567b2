/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread back end's own records. A real-time CPU is a pinned Linux thread, its *dispatcher*;
 * README.md tells the mechanism.
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
 * Events (kicks and shots) come by the latter: of all signals programs can neither take nor block
 * it, nor wait for it, and debuggers pass it on without a word. si_code tells whose it is: the C
 * library sends by tgkill(). Not an unused standard signal: debuggers lose what they have no name
 * for.
 */
#define THREAD_SIGNAL_EVENT LINUX_SIGNAL_SETXID

/* One real-time CPU. */
struct thread_port {
	struct linux_port common; /* first: hal_cpu.port is both */
	/* Its kicks, in memory that processes with a bell of its have, too; constant. */
	struct hal_bell *bell;
	int bell_file;
	bool bell_lent;                  /* to a doorbell: */
	_Atomic uint32_t bell_interrupt; /* the bit of hal_cpu.interrupts for what is rung there */
	_Alignas(LINUX_CACHE_LINE) uint64_t busy_since_ns; /* end of the last idle time */
	uint64_t requested_ns; /* first shot asked for since, counted from there; HAL_NO_DEADLINE:
				* none
				*/
	int timer;
	int kick_timer; /* where no signal can be queued */
	/* The latest fault that an event was to send to its shadow, and which one that was. */
	struct hal_fault fault;
	uint64_t fault_event; /* 0: there was none */
	stack_t fault_stack;
	bool learns;        /* the program gave no idle_ns: idle.c follows what wake-ups take */
	uint64_t tls;       /* the dispatcher's own */
	_Atomic bool traps; /* it serves: its calls trap (setxid.c) */
	pthread_t thread;
	/* The helper of shot_helper.c: sleeps until wanted_ns, wakes early when the word changes.
	 */
	pthread_t helper;
	bool helper_runs;
	_Atomic uint32_t helper_word;
	_Atomic uint64_t helper_until_ns;
	_Atomic bool helper_stop;
	/* follow.c */
	_Atomic bool follows;      /* as the dispatcher knows by now; not before it serves */
	_Atomic uint32_t followed; /* the dispatcher's Linux priority */
	uint64_t ran_ns,
		waited_ns; /* the housekeeper's, as the three that follow: at its last round */
	uint32_t starved_rounds;
	uint32_t moved_rounds; /* for how many more it is away from its own CPU; 0: it is there */
	uint32_t moved_cpu;
	_Atomic uint32_t moving; /* the dispatcher is changing it */
	int fault_fd[2];         /* page_faults.c: of minor and of major ones, -1: none */
	void *fault_ring;
	int error; /* why it did not start */
};

_Static_assert(offsetof(struct thread_port, common) == 0, "linux_port_of()");

/* Constant between hal_start() and hal_stop() unless atomic; linux_program has the rest. */
struct thread_program {
	struct thread_port *ports;
	enum linux_shot shot;
	uint32_t event_cost_ns; /* what calibration found */
	_Atomic bool follows;   /* dispatchers are to have the running task's Linux priority */
	uint64_t dispatcher_mask;
};
extern struct thread_program thread_program;

/* options.c: for linux_program_begin(). */
int thread_options_parse(const char *text, struct linux_options *options, char reason[256]);

/* What was rung, by this CPU's own page and by others. Context: stalled, on this CPU, after the
 * kick that came with it was taken. */
static inline void thread_bells_take(struct thread_port *port)
{
	linux_doorbells_take(&port->common);
	if (atomic_load_explicit(&port->bell->rung, memory_order_relaxed) &&
	    atomic_load_explicit(&port->bell_interrupt, memory_order_relaxed) &&
	    atomic_exchange(&port->bell->rung, 0))
		port->common.cpu->interrupts |=
			atomic_load_explicit(&port->bell_interrupt, memory_order_relaxed);
}

static inline struct thread_port *thread_port_of(const struct hal_cpu *cpu)
{
	return cpu->port;
}

#endif
