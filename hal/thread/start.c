/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hal_start() and hal_stop(): everything is checked and taken in one order, and given back in the
 * reverse order, also when the start fails half-way.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/status.h"
#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "kernel_limits.h"
#include "clock.h"
#include "cpu_select.h"
#include "devices.h"
#include "dispatcher.h"
#include "fault.h"
#include "fork.h"
#include "gravity.h"
#include "introspect.h"
#include "lease.h"
#include "light.h"
#include "memory/fault_stack.h"
#include "memory/heap_hold.h"
#include "memory/slab.h"
#include "memory/stack.h"
#include "options.h"
#include "port.h"
#include "print.h"
#include "program.h"
#include "reason.h"
#include "rights.h"
#include "secondary/cpu_borrow.h"
#include "secondary/housekeeper.h"
#include "secondary/signal_storm.h"
#include "settings.h"
#include "shadow/notify.h"
#include "shadow/wait.h"
#include "signals.h"
#include "thread.h"
#include "trap.h"

const uint32_t hal_status_back_end = TACT_STATUS_CORE_THREAD;

struct thread_program thread_program;

static bool running;

/* Before the constructors of programs, and of skins. */
__attribute__((constructor(101))) static void load(void)
{
	thread_signals_serve(&(struct thread_signal_handlers){thread_fault, thread_linux_call});
}

static int ports_make(struct hal_cpu *const cpus[], const uint32_t linux_cpus[])
{
	size_t bytes = linux_program.cpu_count * sizeof(struct thread_port);

	thread_program.ports = aligned_alloc(LINUX_CACHE_LINE, bytes);
	if (!thread_program.ports)
		return -TACT_ENOMEM;
	memset(thread_program.ports, 0, bytes);
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		struct thread_port *port = &thread_program.ports[i];

		port->doorbell = linux_doorbell_page_make(&port->doorbell_file);
		if (!port->doorbell)
			return -TACT_ENOMEM;
		port->common.cpu = cpus[i];
		port->timer = port->kick_timer = -1;
		port->fault_fd[0] = port->fault_fd[1] = -1;
		atomic_store(&port->common.armed_ns, HAL_NO_DEADLINE);
		port->requested_ns = HAL_NO_DEADLINE;
		atomic_store(&port->followed, linux_program.priority);
		*cpus[i] = (struct hal_cpu){
			.self = {.self = &cpus[i]->self, .stalled = 1, .kind = HAL_SELF_CPU},
			.index = i,
			.linux_cpu = linux_cpus[i],
			.port = port,
			.apart = linux_program.other_cpus_differ,
		};
		linux_program.ports[i] = &port->common;
	}
	linux_program.port_count = linux_program.cpu_count;
	return 0;
}

/* Shadows that still exist may be reading the ports. */
static void ports_free(void)
{
	struct thread_port *ports = thread_program.ports;

	__atomic_store_n(&thread_program.ports, NULL, __ATOMIC_SEQ_CST);
	shadow_await_notified();
	linux_program.port_count = 0;
	for (unsigned i = 0; ports && i < linux_program.cpu_count && ports[i].doorbell; i++)
		linux_doorbell_page_free(ports[i].doorbell, ports[i].doorbell_file);
	free(ports);
}

bool backend_may_compute(unsigned level)
{
	/* The ports exist while a shadow asks: ports_free() waits for that. */
	const struct thread_port *ports = __atomic_load_n(&thread_program.ports, __ATOMIC_SEQ_CST);

	for (unsigned i = 0; ports && i < linux_program.cpu_count; i++)
		if (atomic_load(&ports[i].doorbell->state) == DOORBELL_RUNNING &&
		    atomic_load(&ports[i].followed) >= level)
			return true;
	return !ports;
}

/*
 * May Linux threads use these CPUs, so that a dispatcher far above would take the CPUs from them?
 * Shadows that have no other CPU always may; other programs may as long as they share a CPU.
 */
static void follow_choose(const struct hal_config *config, char reason[HAL_REASON_BYTES])
{
	const bool always = linux_program.fifo && !linux_program.other_cpus_differ;

	linux_program.may_follow = always || (linux_program.fifo && config->share);
	atomic_store(&thread_program.follows,
		     always || (linux_program.may_follow && linux_leases_are_shared()));
	if (!always)
		return;
	if (thread_program.shot == LINUX_SHOT_POSIX)
		linux_notice(reason, "shot=posix is not used: on a CPU that others may use, only "
				     "shot=helper raises the priority in time. ");
	thread_program.shot = LINUX_SHOT_HELPER;
}

/* Values that the program gives go before stored ones; the first dispatcher measures the rest. */
static void gravity_start(const struct hal_config *config, char reason[HAL_REASON_BYTES])
{
	const struct linux_options *options = &linux_program.options;
	bool usable = options->tuned;

	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		struct thread_port *port = &thread_program.ports[i];
		struct hal_gravity *gravity = &port->common.gravity;

		usable =
			usable && thread_gravity_read(options->gravity, port->common.cpu->linux_cpu,
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
	const struct hal_gravity *found = &thread_program.ports[0].common.gravity;

	for (unsigned i = 1; i < linux_program.cpu_count; i++) {
		struct hal_gravity *gravity = &thread_program.ports[i].common.gravity;

		if (gravity->idle_ns == HAL_GRAVITY_UNSET)
			gravity->idle_ns = found->idle_ns;
		if (gravity->preempt_ns == HAL_GRAVITY_UNSET)
			gravity->preempt_ns = found->preempt_ns;
	}
}

static void page_faults_notice(char reason[HAL_REASON_BYTES])
{
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		if (thread_program.ports[i].fault_ring)
			continue;
		linux_notice(reason, "page faults are not counted: Linux or the container refuses "
				     "perf_event_open(), see kernel.perf_event_paranoid. ");
		return;
	}
}

static int dispatchers_start(char reason[HAL_REASON_BYTES])
{
	unsigned made;
	int error = 0;

	for (made = 0; made < linux_program.cpu_count && !error; made++)
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
	dispatchers_report(DISPATCHER_END);
	dispatchers_join(made);
	return linux_refuse(reason, error == -TACT_EPERM ? -TACT_EPERM : -TACT_ENOMEM,
			    "a real-time CPU's thread did not start: %s", strerror(-error));
}

int backend_start(const struct hal_config *config, struct hal_cpu *const cpus[],
		  char reason[HAL_REASON_BYTES])
{
	uint32_t linux_cpus[HAL_MAX_CPUS];
	int error = linux_program_begin(config, running, thread_options_parse, reason);

	if (error)
		return error;
	thread_program.shot = linux_program.options.shot;
	if (!thread_may_trap())
		return linux_refuse(reason, -TACT_ENOSYS,
				    "this kernel has no Syscall User Dispatch: Linux 5.11 or later "
				    "is needed");

	hal_arch_keys_start();
	linux_fork_start();
	linux_program.holds = true;
	error = linux_cpus_select(config, linux_cpus, reason);
	if (error)
		goto drop_leases;
	error = linux_find_priority(config->require, reason);
	if (error)
		goto drop_leases;
	follow_choose(config, reason);
	thread_time_start();
	linux_introspect_start();
	error = ports_make(cpus, linux_cpus);
	if (!error)
		error = linux_light_start();
	if (error) {
		linux_refuse(reason, error, "out of memory");
		goto free_ports;
	}
	gravity_start(config, reason);
	thread_settings_start(config, linux_cpus, reason);
	linux_heap_hold(reason);
	linux_stacks_start(linux_program.options.lock);
	error = linux_housekeeper_start(&linux_rounds);
	if (error) {
		linux_refuse(reason, error, "no thread or file is left: see ulimit -u and -n");
		goto restore;
	}
	/* After the first pthread_create(), because only then has the C library installed its own
	 * handler. */
	thread_signals_install();
	shadow_traps_begin();
	error = dispatchers_start(reason);
	if (error)
		goto stop_housekeeper;
	if (linux_program.fifo)
		linux_housekeeper_raise();
	running = true;
	dispatchers_report(DISPATCHER_SERVE);
	/* Last: more urgent threads may keep the CPUs that are left, and then only the housekeeper
	 * notices that the caller does not run. */
	thread_caller_leaves();
	return 0;

stop_housekeeper:
	thread_signals_restore(shadow_traps_end());
	linux_housekeeper_stop();
restore:
	thread_settings_stop();
free_ports:
	ports_free();
drop_leases:
	linux_leases_drop();
	linux_program.holds = false;
	return error;
}

bool hal_exit(void)
{
	/* A child that no fork handler knows (clone(2)) owns nothing of this. */
	if (running && call3(SYS_getpid, 0, 0, 0) == linux_program.pid) {
		linux_print_finish();
		cpu_borrow_at_exit();
		thread_settings_stop();
	}
	return true;
}

void hal_stop(void)
{
	if (!running)
		return;
	hal_devices_drop();
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		hal_kick(thread_program.ports[i].common.cpu);
	dispatchers_join(linux_program.cpu_count);
	thread_signals_restore(shadow_traps_end());
	linux_unshare_stop();
	linux_housekeeper_stop();
	thread_settings_stop();
	linux_stacks_stop();
	shadow_waits_drop();
	shadow_fault_stacks_drop();
	linux_status_close();
	ports_free();
	thread_caller_returns();
	linux_leases_drop();
	linux_program.holds = false;
	running = false;
}
