/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sharing, as the housekeeper sees it: whether another program has a lease of our CPUs, too, and
 * whether a more urgent thread of another program keeps a dispatcher with the priority of its task
 * from running. Linux would have run a thread of that priority on another CPU. So dispatcher and
 * helper both move to the next CPU of the program, and come back after a while. So a program beside
 * others ends whenever it would end as a plain one.
 */
#define _GNU_SOURCE
#include "back_end.h"
#include "follow.h"
#include "lease.h"
#include "program.h"
#include "shot.h"
#include "task_file.h"
#include "thread.h"

#define STARVED_ROUNDS  2u
#define STARVED_PERCENT 75u /* of a round */
#define MOVED_ROUNDS    100u

/*
 * Linux counts a wait when it ends. A wait that lasts shows in a dispatcher that neither runs nor
 * sleeps. A wait that events interrupt for moments shows in the count.
 */
static bool was_starved(struct thread_port *port)
{
	unsigned long long ran_ns = 0, waited_ns = 0;
	bool starved;

	if (!linux_task_times(port->common.tid, &ran_ns, &waited_ns))
		return false;
	starved = waited_ns - port->waited_ns > HAL_WATCH_PERIOD_NS / 100 * STARVED_PERCENT ||
		  (ran_ns == port->ran_ns && waited_ns == port->waited_ns &&
		   atomic_load(&port->doorbell->state) == DOORBELL_RUNNING);
	port->ran_ns = ran_ns;
	port->waited_ns = waited_ns;
	return starved;
}

/* The helper first: it raises a dispatcher that is on its CPU. */
static void put(struct thread_port *port, uint32_t linux_cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(linux_cpu, &cpus);
	thread_helper_move(port, &cpus);
	(void)sched_setaffinity((pid_t)port->common.tid, sizeof(cpus), &cpus);
}

/* The CPU behind the present one, among the CPUs that Linux has for the program and the
 * dispatcher's own. */
static uint32_t next_cpu(const struct thread_port *port)
{
	const uint32_t now = port->moved_rounds ? port->moved_cpu : port->common.cpu->linux_cpu;
	uint32_t cpu = now;

	do {
		cpu = (cpu + 1) % CPU_SETSIZE;
	} while (cpu != now && cpu != port->common.cpu->linux_cpu &&
		 !CPU_ISSET(cpu, &linux_program.other_cpus));
	return cpu;
}

static void move_on(struct thread_port *port)
{
	const uint32_t cpu = next_cpu(port);

	port->starved_rounds = 0;
	put(port, cpu);
	port->moved_cpu = cpu;
	port->moved_rounds = cpu == port->common.cpu->linux_cpu ? 0 : MOVED_ROUNDS;
}

static void come_home(struct thread_port *port)
{
	port->moved_rounds = 0;
	put(port, port->common.cpu->linux_cpu);
}

static void look_at(struct thread_port *port)
{
	port->starved_rounds = was_starved(port) ? port->starved_rounds + 1 : 0;
	if (port->starved_rounds >= STARVED_ROUNDS)
		move_on(port);
	else if (port->moved_rounds && !--port->moved_rounds)
		come_home(port);
}

/* A kick tells a dispatcher that it must follow from now on, or no longer. */
static void look_at_leases(void)
{
	const bool shared = linux_leases_are_shared();

	if (shared == atomic_load(&thread_program.follows))
		return;
	atomic_store(&thread_program.follows, shared);
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		if (!shared && thread_program.ports[i].moved_rounds)
			come_home(&thread_program.ports[i]);
		hal_kick(thread_program.ports[i].common.cpu);
	}
}

void backend_round(void)
{
	/* If this is the only CPU left for shadows, too, there is no CPU to move to, and priorities
	 * always follow. */
	if (!linux_program.may_follow || !linux_program.other_cpus_differ)
		return;
	look_at_leases();
	if (!atomic_load(&thread_program.follows))
		return;
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		look_at(&thread_program.ports[i]);
}
