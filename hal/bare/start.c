/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hal_start() and hal_stop(): everything is checked and taken in one order, and given back in the
 * reverse order, also when the start fails half-way. Memory is mapped last before the cores run, so
 * that they have all of it.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/status.h"
#include "arch/core.h"
#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "cpu_select.h"
#include "device.h"
#include "devices.h"
#include "fork.h"
#include "introspect.h"
#include "lease.h"
#include "light.h"
#include "memory/fault_stack.h"
#include "memory/heap_hold.h"
#include "memory/slab.h"
#include "memory/stack.h"
#include "reason.h"
#include "rights.h"
#include "secondary/housekeeper.h"
#include "secondary/signal_storm.h"
#include "shadow/notify.h"
#include "shadow/wait.h"

#define CORE_STACK_BYTES 262144u

/* How long a processor takes to leave its lightest sleep; the rest is spent on spinning. */
#define GRAVITY_IDLE_NS 2000u

const uint32_t hal_status_back_end = TACT_STATUS_CORE_BARE;

struct bare_program bare_program = {.device = -1};

static bool running;

/* A core belongs to one program, even with `share`. Linux keeps at least one CPU. */
static int place(const struct hal_config *config, uint32_t linux_cpus[],
		 char reason[HAL_REASON_BYTES])
{
	struct hal_config own = *config;
	int error;

	own.share = false;
	error = linux_cpus_select(&own, linux_cpus, reason);
	if (!error && linux_program.other_cpus_differ)
		error = bare_siblings_take(linux_cpus, reason);
	if (!error && !linux_program.other_cpus_differ)
		return linux_refuse(reason, -TACT_ENXIO,
				    "Linux would have no CPU left: use fewer than all %d CPUs",
				    CPU_COUNT(&linux_program.other_cpus));
	return error;
}

static int core_make(struct bare_core *core, struct hal_cpu *cpu, unsigned index,
		     const struct hal_config *config, uint32_t linux_cpu)
{
	struct linux_port *port = &core->port;

	port->cpu = cpu;
	atomic_store(&port->armed_ns, HAL_NO_DEADLINE);
	port->gravity.idle_ns = config->gravity_idle_ns != HAL_GRAVITY_UNSET
					? config->gravity_idle_ns
					: GRAVITY_IDLE_NS;
	port->gravity.preempt_ns = config->gravity_preempt_ns != HAL_GRAVITY_UNSET
					   ? config->gravity_preempt_ns
					   : BARE_INTERRUPT_NS;
	*cpu = (struct hal_cpu){
		.self = {.self = &cpu->self, .stalled = 1, .kind = HAL_SELF_CPU},
		.index = index,
		.linux_cpu = linux_cpu,
		.port = port,
		.apart = true,
		.page_faults = &core->page_faults,
	};
	core->calls = hal_memory_get(sizeof(*core->calls));
	core->upcall_stacks = hal_memory_get(TACT_BARE_UP_EVENTS * BARE_UPCALL_STACK_BYTES);
	if (!core->calls || !core->upcall_stacks)
		return -TACT_ENOMEM;
	return hal_stack_get(CORE_STACK_BYTES, &core->stack);
}

static void cores_free(void)
{
	for (unsigned i = 0; bare_program.cores && i < linux_program.cpu_count; i++) {
		struct bare_core *core = &bare_program.cores[i];

		if (core->stack.base)
			hal_stack_put(&core->stack);
		hal_memory_put(core->upcall_stacks, TACT_BARE_UP_EVENTS * BARE_UPCALL_STACK_BYTES);
		hal_memory_put(core->calls, sizeof(*core->calls));
		if (core->user)
			munmap(core->user, TACT_BARE_PAGE);
		if (core->info)
			munmap((void *)core->info, TACT_BARE_PAGE);
	}
	hal_memory_put(bare_program.cores, linux_program.cpu_count * sizeof(struct bare_core));
	bare_program.cores = NULL;
}

static int cores_make(const struct hal_config *config, struct hal_cpu *const cpus[],
		      const uint32_t linux_cpus[], char reason[HAL_REASON_BYTES])
{
	int error = 0;

	bare_program.cores = hal_memory_get(config->cpu_count * sizeof(struct bare_core));
	if (!bare_program.cores)
		return linux_refuse(reason, -TACT_ENOMEM,
				    "no memory for %u cores: free some, or take fewer CPUs",
				    config->cpu_count);
	for (unsigned i = 0; i < config->cpu_count && !error; i++)
		error = core_make(&bare_program.cores[i], cpus[i], i, config, linux_cpus[i]);
	if (error)
		return linux_refuse(
			reason, -TACT_ENOMEM,
			"no memory for the stacks of %u cores: free some, or take fewer "
			"CPUs",
			config->cpu_count);
	for (unsigned i = 0; i < config->cpu_count && !error; i++)
		error = device_take(&bare_program.cores[i], reason);
	return error;
}

static int cores_run(char reason[HAL_REASON_BYTES])
{
	int error = device_add_all(reason);

	if (error)
		return error;
	hal_arch_core_init(bare_program.cores[0].info->xsave_bytes);
	for (unsigned i = 0; i < linux_program.cpu_count && !error; i++) {
		error = device_start(&bare_program.cores[i]);
		if (error)
			return linux_refuse(
				reason, -TACT_ENOSYS,
				"CPU %u cannot be started as a core (%s): see the kernel "
				"log, dmesg | grep tactus",
				bare_program.cores[i].port.cpu->linux_cpu, strerror(-error));
	}
	for (unsigned i = 0; i < linux_program.cpu_count && !error; i++)
		error = bare_owner_start(&bare_program.cores[i]);
	if (error)
		return linux_refuse(reason, error, "no thread is left: see ulimit -u");
	return 0;
}

/* A core needs no periodic work. */
void backend_round(void)
{
}

/* A core has no Linux priority. */
bool backend_may_compute(unsigned level)
{
	(void)level;
	return true;
}

int backend_start(const struct hal_config *config, struct hal_cpu *const cpus[],
		  char reason[HAL_REASON_BYTES])
{
	uint32_t linux_cpus[HAL_MAX_CPUS];
	int error = linux_program_begin(config, running, bare_options_parse, reason);

	if (error)
		return error;

	linux_fork_start();
	linux_program.holds = true;
	error = place(config, linux_cpus, reason);
	if (error)
		goto drop_leases;
	error = device_open(reason);
	if (error)
		goto drop_leases;
	if (!bare_vdso_take())
		linux_notice(
			reason,
			"the clocks of the vDSO cannot be replaced, because of this kernel or of "
			"other threads that run: a task that reads a clock of the C library in "
			"primary mode faults. ");
	error = linux_find_priority(config->require, reason);
	if (error)
		goto close_device;
	linux_introspect_start();
	linux_stacks_start(true);
	error = linux_light_start();
	if (error) {
		linux_refuse(reason, error, "out of memory");
		goto close_device;
	}
	linux_heap_hold(reason);
	error = cores_make(config, cpus, linux_cpus, reason);
	if (error)
		goto free_cores;
	error = linux_housekeeper_start(&linux_rounds);
	if (error) {
		linux_refuse(reason, error, "no thread or file is left: see ulimit -u and -n");
		goto free_cores;
	}
	bare_signals_install();
	error = bare_doorbell_start();
	if (error) {
		linux_refuse(reason, error, "no thread or file is left: see ulimit -u and -n");
		goto stop_housekeeper;
	}
	error = cores_run(reason);
	if (error)
		goto stop_doorbell;
	if (linux_program.fifo)
		linux_housekeeper_raise();
	running = true;
	return 0;

stop_doorbell:
	bare_doorbell_stop();
stop_housekeeper:
	bare_signals_restore();
	linux_housekeeper_stop();
free_cores:
	cores_free();
close_device:
	device_close();
drop_leases:
	linux_leases_drop();
	linux_program.holds = false;
	return error;
}

void hal_stop(void)
{
	if (!running)
		return;
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		hal_kick(bare_program.cores[i].port.cpu);
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		bare_owner_join(&bare_program.cores[i]);
	bare_doorbell_stop();
	bare_signals_restore();
	linux_unshare_stop();
	linux_housekeeper_stop();
	shadow_await_notified();
	hal_devices_drop();
	cores_free();
	linux_stacks_stop();
	shadow_waits_drop();
	shadow_fault_stacks_drop();
	linux_status_close();
	device_close();
	linux_leases_drop();
	linux_program.holds = false;
	running = false;
}

/* Linux gets a core back sooner if the program releases it than if Linux ends the program. */
bool hal_exit(void)
{
	return false;
}

/* In the child of a fork: give up what only the parent may hold. */
void backend_forked(void)
{
	bare_time_forget();
	close(bare_program.device);
	bare_program.device = -1;
}

/* Memory that real-time code uses is locked in the same places as on the thread back end. Here that
 * means: it is pinned, and mapped on the cores. Before there are cores this is not needed: the
 * start maps all memory. */
bool backend_memory_lock(void *memory, size_t bytes)
{
	return bare_program.device < 0 || !device_add(memory, bytes, NULL);
}
