/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the virtual-time back end offers beyond the contract, for tests, exploration and examples:
 * the seed, the costs, events that Linux causes otherwise (calls, faults, signals, further
 * threads), and the record of a run.
 */
#ifndef HAL_SIM_H
#define HAL_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/device.h"
#include "hal/upcall.h"

#define HAL_SIM_EXPORT __attribute__((visibility("default")))

/* Exit code of a process whose simulation was given up (stuck, past its limit, broken nucleus). */
#define HAL_SIM_EXIT_PANIC 70

/* Virtual nanoseconds. With a seed the drawn costs are based on these. */
struct hal_sim_costs {
	uint64_t point_ns;      /* a scheduling point (nucleus call, clock read); at least 1 */
	uint64_t kick_ns;       /* from a kick until it arrives */
	uint64_t linux_call_ns; /* a Linux call without a cost of its own; at least 1 */
	uint64_t linux_wake_ns; /* from waking a Linux thread until it runs */
	uint64_t dispatch_ns;   /* from giving a task to its shadow until it runs there */
};

/**
 * Perturb the runs that start from now on by this seed. The options string and the environment
 * variable TACTUS_SIM take precedence, in this order. Context: linux, not started.
 */
HAL_SIM_EXPORT void hal_sim_set_seed(uint64_t seed);

/**
 * Costs of the runs that start from now on.
 * Returns 0, -TACT_EINVAL (point_ns or linux_call_ns 0, anything above 1 s). Context: linux.
 */
HAL_SIM_EXPORT int hal_sim_set_costs(const struct hal_sim_costs *costs);
HAL_SIM_EXPORT void hal_sim_get_costs(struct hal_sim_costs *costs);

/* The virtual time; costs nothing and is no scheduling point. Context: any. */
HAL_SIM_EXPORT uint64_t hal_sim_now(void);

/**
 * The running task makes a Linux call: nuc_upcall_linux_call(), then the cost (0: the configured
 * one) passes on its shadow. For a shadow or a Linux thread only the cost passes.
 * Returns 0, or the negative error of the upcall. Context: task, linux.
 */
HAL_SIM_EXPORT int hal_sim_linux_call(long number, uint64_t cost_ns);

/* The running task faults. Returns what the upcall returns, if it returns. Context: task. */
HAL_SIM_EXPORT int hal_sim_fault(enum hal_fault_cause cause, uintptr_t address);

/* The owner of the calling shadow, by which the calls below name it; NULL elsewhere. Context: any.
 */
HAL_SIM_EXPORT const void *hal_sim_owner(void);

/**
 * Linux has a signal for the shadow of owner: nuc_upcall_shadow_signal() on it if it is parked.
 * Returns 0, -TACT_ESRCH (no such shadow), -TACT_EAGAIN (not parked: it takes the signal itself).
 * Context: any.
 */
HAL_SIM_EXPORT int hal_sim_signal(const void *owner);

/* The Linux priority that was last set for the shadow of owner, or -TACT_ESRCH. Context: any. */
HAL_SIM_EXPORT int hal_sim_shadow_priority(const void *owner);

/* Set the wall clock: now reads wall_ns; nuc_upcall_wall_changed(). Context: linux. */
HAL_SIM_EXPORT void hal_sim_set_wall_ns(int64_t wall_ns);

/**
 * A further plain Linux thread of the simulation: runs entry(arg) at its own virtual time.
 * hal_sim_thread_join() waits for its end and frees it; call it once for each thread.
 * Returns 0, -TACT_ENOMEM. Context: linux, started.
 */
struct hal_sim_thread;
HAL_SIM_EXPORT int hal_sim_thread_start(struct hal_sim_thread **thread, void (*entry)(void *arg),
					void *arg, const char *name);
HAL_SIM_EXPORT void hal_sim_thread_join(struct hal_sim_thread *thread);

/* A device of the simulated machine. name and memory belong to the caller, and must stay. */
struct hal_sim_device {
	const char *name;
	uint32_t lines;
	bool translated;            /* the program chooses its addresses */
	uint32_t address_bits;      /* of the addresses that it can reach; 64: all */
	uint64_t pin_bytes;         /* memory that may be pinned for it; 0: no limit */
	void *bar[HAL_DEVICE_BARS]; /* NULL: there is no room to map it */
	uint64_t bar_bytes[HAL_DEVICE_BARS];
	int refusal;    /* attaching it fails with this error; 0: it succeeds */
	bool unaimable; /* none of its lines can be aimed */
};

/* Add the device to the machine. 0, -TACT_EEXIST (there is one of that name), -TACT_ENOMEM (there
 * are nine already). Context: linux. */
HAL_SIM_EXPORT int hal_sim_device_add(const struct hal_sim_device *device);

/* The device raises an interrupt; it is lost if the line is not aimed. Context: any. */
HAL_SIM_EXPORT void hal_sim_interrupt(const char *name, uint32_t line);

/* What the device sees at an address; NULL: nothing was added there. Context: any. */
HAL_SIM_EXPORT void *hal_sim_dma(const char *name, uint64_t address);

/* Hash of all scheduling decisions since hal_start(); equal for equal seeds. Context: any. */
HAL_SIM_EXPORT uint64_t hal_sim_trace_hash(void);

struct hal_sim_statistics {
	uint64_t points;     /* scheduling points since hal_start() */
	uint64_t hand_overs; /* how many of these went on in another entity */
	uint64_t events;     /* nuc_upcall_event() calls */
};
HAL_SIM_EXPORT void hal_sim_get_statistics(struct hal_sim_statistics *statistics);

#endif
