/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hal_start() and hal_stop(): everything is checked and taken in one order and given back in the
 * other, also when the start fails half way.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/status.h"
#include "arch/context.h"
#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "dispatcher.h"
#include "policy.h"
#include "shadow.h"
#include "gravity.h"

struct thread_program thread_program;

const uint32_t hal_status_core = TACT_STATUS_CORE_THREAD;

static bool running;

static int ports_make(struct hal_cpu *const cpus[], const uint32_t linux_cpus[])
{
	size_t bytes = thread_program.cpu_count * sizeof(struct thread_port);

	thread_program.ports = aligned_alloc(THREAD_CACHE_LINE, bytes);
	if (!thread_program.ports)
		return -TACT_ENOMEM;
	memset(thread_program.ports, 0, bytes);
	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		struct thread_port *port = &thread_program.ports[i];

		port->cpu = cpus[i];
		port->timer = port->kick_timer = -1;
		port->fault_fd[0] = port->fault_fd[1] = -1;
		atomic_store(&port->armed_ns, HAL_NO_DEADLINE);
		port->asked_ns = HAL_NO_DEADLINE;
		atomic_store(&port->followed, thread_program.priority);
		*cpus[i] = (struct hal_cpu){
			.self = {.self = &cpus[i]->self, .stalled = 1, .kind = HAL_SELF_CPU},
			.index = i,
			.linux_cpu = linux_cpus[i],
			.port = port,
			.apart = thread_program.other_cpus_differ,
		};
	}
	return 0;
}

/* Shadows that are there yet may be looking at them. */
static void ports_free(void)
{
	struct thread_port *ports = thread_program.ports;

	__atomic_store_n(&thread_program.ports, NULL, __ATOMIC_SEQ_CST);
	shadow_await_told();
	free(ports);
}

/*
 * Have Linux threads a right to these CPUs, which a dispatcher far above would take away? Shadows
 * that have no other CPU have it for good, other programs as long as they share one.
 */
static void follow_choose(const struct hal_config *config, char reason[256])
{
	const bool always = thread_program.fifo && !thread_program.other_cpus_differ;

	thread_program.may_follow = always || (thread_program.fifo && config->share);
	atomic_store(&thread_program.follows,
		     always || (thread_program.may_follow && thread_leases_are_shared()));
	if (!always)
		return;
	if (thread_program.shot == THREAD_SHOT_POSIX)
		thread_notice(reason, "shot=posix is not used: on a CPU that others may use, only "
				      "shot=helper raises the priority in time. ");
	thread_program.shot = THREAD_SHOT_HELPER;
}

/* What the program gives goes before what was stored; the rest the first dispatcher finds out. */
static void gravity_start(const struct hal_config *config, char reason[256])
{
	const struct thread_options *options = &thread_program.options;
	bool usable = options->tuned;

	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		struct thread_port *port = &thread_program.ports[i];
		struct hal_gravity *gravity = &port->gravity;

		usable = usable && thread_gravity_read(options->gravity, port->cpu->linux_cpu,
						       gravity, reason);
		if (config->gravity_idle_ns != HAL_GRAVITY_UNSET || !gravity->idle_ns)
			gravity->idle_ns = config->gravity_idle_ns;
		port->learns = config->gravity_idle_ns == HAL_GRAVITY_UNSET;
		if (config->gravity_preempt_ns != HAL_GRAVITY_UNSET || !gravity->preempt_ns)
			gravity->preempt_ns = config->gravity_preempt_ns;
	}
}

static void gravity_spread(void)
{
	const struct hal_gravity *found = &thread_program.ports[0].gravity;

	for (unsigned i = 1; i < thread_program.cpu_count; i++) {
		struct hal_gravity *gravity = &thread_program.ports[i].gravity;

		if (gravity->idle_ns == HAL_GRAVITY_UNSET)
			gravity->idle_ns = found->idle_ns;
		if (gravity->preempt_ns == HAL_GRAVITY_UNSET)
			gravity->preempt_ns = found->preempt_ns;
	}
}

static void page_faults_notice(char reason[256])
{
	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		if (thread_program.ports[i].fault_ring)
			continue;
		thread_notice(reason, "page faults are not counted: Linux or the container refuses "
				      "perf_event_open(), see kernel.perf_event_paranoid. ");
		return;
	}
}

static int dispatchers_start(char reason[256])
{
	unsigned made;
	int error = 0;

	for (made = 0; made < thread_program.cpu_count && !error; made++)
		error = dispatcher_create(&thread_program.ports[made]);
	if (error)
		made--;
	else
		error = dispatchers_ready(made);
	if (!error) {
		gravity_spread();
		page_faults_notice(reason);
		return 0;
	}
	dispatchers_tell(DISPATCHER_END);
	dispatchers_join(made);
	return thread_refuse(reason, error == -TACT_EPERM ? -TACT_EPERM : -TACT_ENOMEM,
			     "a real-time CPU's thread did not start: %s", strerror(-error));
}

static int start(const struct hal_config *config, struct hal_cpu *const cpus[], char reason[256])
{
	uint32_t linux_cpus[HAL_MAX_CPUS];
	int error = thread_program_begin(config, running, thread_options_parse, reason);

	if (error)
		return error;
	thread_program.shot = thread_program.options.shot;
	if (!thread_may_trap())
		return thread_refuse(
			reason, -TACT_ENOSYS,
			"this kernel has no Syscall User Dispatch: Linux 5.11 or later "
			"is needed");

	hal_arch_keys_start();
	thread_fork_start();
	thread_program.holds = true;
	error = thread_place(config, linux_cpus, reason);
	if (error)
		goto drop_leases;
	error = thread_find_priority(config->require, reason);
	if (error)
		goto drop_leases;
	follow_choose(config, reason);
	thread_time_start();
	thread_look_start();
	error = ports_make(cpus, linux_cpus);
	if (!error)
		error = thread_light_start();
	if (error) {
		thread_refuse(reason, error, "out of memory");
		goto free_ports;
	}
	gravity_start(config, reason);
	thread_settings_start(config, linux_cpus, reason);
	thread_hold_memory(reason);
	thread_stacks_start(thread_program.options.lock);
	thread_housekeeper_also = thread_follow_watch;
	error = thread_housekeeper_start();
	if (error) {
		thread_refuse(reason, error, "no thread or file is left: see ulimit -u and -n");
		goto restore;
	}
	/* After the first pthread_create(): only then has the C library installed its own. */
	thread_signals_install();
	error = dispatchers_start(reason);
	if (error)
		goto stop_housekeeper;
	if (thread_program.fifo)
		thread_housekeeper_raise();
	running = true;
	dispatchers_tell(DISPATCHER_SERVE);
	/* Last: more urgent threads may keep the CPUs that are left, and only the housekeeper sees
	 * that then. */
	thread_caller_leaves();
	return 0;

stop_housekeeper:
	thread_signals_restore();
	thread_housekeeper_stop();
restore:
	thread_settings_stop();
free_ports:
	ports_free();
drop_leases:
	thread_leases_drop();
	thread_program.holds = false;
	return error;
}

int hal_start(const struct hal_config *config, struct hal_cpu *const cpus[], char reason[256])
{
	struct thread_policy former;
	bool changed = thread_births_begin(&former);
	int error = start(config, cpus, reason);

	if (changed)
		thread_policy_put(&former);
	return error;
}

bool hal_exit(void)
{
	/* A child that nobody was told of (clone(2)) has nothing that is its own. */
	if (running && call3(SYS_getpid, 0, 0, 0) == thread_program.pid) {
		thread_print_finish();
		shadow_refuge_at_exit();
		thread_settings_stop();
	}
	return true;
}

void hal_stop(void)
{
	if (!running)
		return;
	for (unsigned i = 0; i < thread_program.cpu_count; i++)
		hal_kick(thread_program.ports[i].cpu);
	dispatchers_join(thread_program.cpu_count);
	thread_signals_restore();
	thread_unshare_stop();
	thread_housekeeper_stop();
	thread_settings_stop();
	thread_stacks_stop();
	shadow_waits_drop();
	shadow_fault_stacks_drop();
	thread_status_close();
	ports_free();
	thread_caller_returns();
	thread_leases_drop();
	thread_program.holds = false;
	running = false;
}
