/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the virtual-time back end offers beside the contract, for tests, exploration and examples:
 * the seed, the costs, what Linux would do by itself (calls, faults, signals, further threads), and
 * the record of a run.
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

/* Virtual nanoseconds. With a seed these are what the drawn costs are built on. */
struct hal_sim_costs {
	uint64_t point_ns;      /* a scheduling point (nucleus call, clock read); at least 1 */
	uint64_t kick_ns;       /* from a kick until it arrives */
	uint64_t linux_call_ns; /* a Linux call that gives no cost of its own; at least 1 */
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
 * The running task makes a Linux call: nuc_upcall_linux_call(), then the cost (0: the set one)
 * passes on its shadow. From a shadow or a Linux thread the cost alone.
 * Returns 0, or the negative error of the upcall. Context: task, linux.
 */
HAL_SIM_EXPORT int hal_sim_linux_call(long number, uint64_t cost_ns);

/* The running task faults. Returns only what the upcall returns. Context: task. */
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

/* Linux priority last set for the shadow of owner; -TACT_ESRCH. Context: any. */
HAL_SIM_EXPORT int hal_sim_shadow_priority(const void *owner);

/* Set the wall clock: now reads wall_ns; nuc_upcall_wall_changed(). Context: linux. */
HAL_SIM_EXPORT void hal_sim_set_wall_ns(int64_t wall_ns);

/**
 * A further plain Linux thread of the simulation: runs entry(arg) at its own virtual time.
 * hal_sim_thread_join() waits for its end and frees it; once for each.
 * Returns 0, -TACT_ENOMEM. Context: linux, started.
 */
struct hal_sim_thread;
HAL_SIM_EXPORT int hal_sim_thread_start(struct hal_sim_thread **thread, void (*entry)(void *arg),
					void *arg, const char *name);
HAL_SIM_EXPORT void hal_sim_thread_join(struct hal_sim_thread *thread);

/* A device of the simulated machine; name and memory are the caller's, and stay. */
struct hal_sim_device {
	const char *name;
	uint32_t lines;
	bool translated;            /* the program chooses its addresses */
	uint32_t address_bits;      /* of what it can reach; 64: all */
	uint64_t pin_bytes;         /* memory that may be pinned for it; 0: as much as is wanted */
	void *bar[HAL_DEVICE_BARS]; /* NULL: there is no room to map it */
	uint64_t bar_bytes[HAL_DEVICE_BARS];
	int refusal;    /* attaching it fails with this error; 0: it does not */
	bool unaimable; /* none of its lines can be aimed */
};

/* From now on the machine has it. 0, -TACT_EEXIST (one of that name), -TACT_ENOMEM (nine are
 * there). Context: linux. */
HAL_SIM_EXPORT int hal_sim_device_add(const struct hal_sim_device *device);

/* It raises an interrupt; lost when nobody has aimed the line. Context: any. */
HAL_SIM_EXPORT void hal_sim_interrupt(const char *name, uint32_t line);

/* What it sees at an address; NULL: nothing was added there. Context: any. */
HAL_SIM_EXPORT void *hal_sim_dma(const char *name, uint64_t address);

/* Hash of all scheduling decisions since hal_start(); equal for equal seeds. Context: any. */
HAL_SIM_EXPORT uint64_t hal_sim_trace_hash(void);

struct hal_sim_statistics {
	uint64_t points;     /* scheduling points since hal_start() */
	uint64_t hand_overs; /* of these, how many went on in another entity */
	uint64_t events;     /* nuc_upcall_event() calls */
};
HAL_SIM_EXPORT void hal_sim_get_statistics(struct hal_sim_statistics *statistics);

#endif
