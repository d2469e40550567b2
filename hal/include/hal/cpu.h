/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 1: real-time CPUs, their start and stop, events and the stall bit.
 */
#ifndef HAL_CPU_H
#define HAL_CPU_H

#include <stdbool.h>
#include <stdint.h>

#define HAL_MAX_CPUS    31
#define HAL_ANY_CPU     UINT32_MAX
#define HAL_NO_DEADLINE UINT64_MAX

#define HAL_REASON_BYTES 256u /* a sentence for people, with its terminating zero */

#define HAL_PAGE_FAULT_STEP 8u

enum hal_self_kind {
	HAL_SELF_CPU = 1,    /* a real-time CPU, primary mode */
	HAL_SELF_SHADOW = 2, /* a shadow, secondary mode */
};

/*
 * What the running kernel thread is. The back end makes it reachable without a system call and
 * without thread-local storage (on x86-64 through the GS base). hal/arch/ depends on the offsets.
 */
struct hal_self {
	struct hal_self *self;
	uint32_t stalled; /* written by this thread only, also from its signal handlers */
	uint32_t pending; /* an event arrived while stalled; written by the same */
	uint32_t kind;    /* enum hal_self_kind */
	uint32_t reserved;
};

/* One real-time CPU. The nucleus embeds it as the first member of its own record. */
struct hal_cpu {
	struct hal_self self;
	uint32_t index;     /* 0 … count - 1 */
	uint32_t linux_cpu; /* the Linux CPU it runs on; its index on sim */
	void *port;         /* the record of the back end */
	/* Set by the back end: the Linux threads of the program have other CPUs than this one.
	 * Constant. */
	bool apart;
	/* Set by the back end: the back end wants hal_cpu_follow(). May change while the CPU is in
	 * hal_idle() or at an event. */
	bool follows;
	/* A bit for each device interrupt (hal/device.h) that has come. The back end sets it, on
	 * this CPU, before it delivers the event; the nucleus clears the bits that it takes.
	 * Stalled. */
	uint32_t interrupts;
	/*
	 * Set by the back end: a word that grows by HAL_PAGE_FAULT_STEP with each page fault that
	 * was served on this CPU. The CPU itself reads it. NULL: page faults are not counted.
	 * Constant from nuc_upcall_start() on.
	 */
	const volatile uint64_t *page_faults;
};

/* What an idle CPU does until the next deadline. */
enum hal_idle {
	HAL_IDLE_HYBRID, /* sleep until the deadline minus gravity, then spin */
	HAL_IDLE_SLEEP,  /* sleep until the deadline */
	HAL_IDLE_SPIN,   /* never sleep */
};

/* Gravity in nanoseconds. HAL_GRAVITY_UNSET: the back end finds the value itself. */
#define HAL_GRAVITY_UNSET UINT32_MAX

struct hal_config {
	const char *program; /* name of the program, shown by tools; copied */
	/* Options of the back end, "name=value,…" (hal/<back end>/README.md), or NULL. */
	const char *options;
	unsigned cpu_count; /* 1 … HAL_MAX_CPUS */
	/* cpu_count entries, HAL_ANY_CPU: the back end chooses; or NULL: it chooses all. */
	const uint32_t *linux_cpus;
	unsigned priority; /* Linux SCHED_FIFO priority of a real-time CPU; 0: the default, 80 */
	enum hal_idle idle;
	bool share;                  /* other programs may have the same CPUs */
	bool require;                /* fail without SCHED_FIFO */
	uint32_t gravity_idle_ns;    /* how much earlier an idle CPU wakes before a deadline */
	uint32_t gravity_preempt_ns; /* how much earlier a timer shot interrupts a running task */
};

/**
 * Start the real-time CPUs. Each runs nuc_upcall_start() on a stack of its own, stalled.
 * cpus:   records whose storage outlives hal_stop(); the back end fills struct hal_cpu.
 * reason: on failure a sentence that says what to do; on success a notice of what the
 *         machine could not give ("" if nothing is missing).
 *
 * Returns 0, or
 *   -TACT_EINVAL  an option that the back end does not know, or a value out of range
 *   -TACT_ENXIO   a CPU that does not exist
 *   -TACT_EPERM   a CPU that this process may not use; or no SCHED_FIFO, and require is set
 *   -TACT_EBUSY   a CPU that is leased to another program, and one of the two does not share it
 *   -TACT_ENOMEM  no memory, or no locked memory
 *   -TACT_ENOSYS  the kernel or the processor lacks what this back end needs
 * Context: linux, once.
 */
int hal_start(const struct hal_config *config, struct hal_cpu *const cpus[],
	      char reason[HAL_REASON_BYTES]) __attribute__((warn_unused_result));

/**
 * Stop the real-time CPUs and give back everything that hal_start() took. The CPUs must be idle in
 * hal_idle(), or about to be. Waits for shadows that report something at this moment
 * (hal_shadow_may_signal()).
 * Context: linux.
 */
void hal_stop(void);

/**
 * The process exits: give back now what the next program would find changed. The real-time CPUs run
 * on until Linux ends the process, as other threads do.
 * Returns false if they cannot run on: hal_stop() is needed then. Context: linux.
 */
bool hal_exit(void);

/**
 * Begin a nucleus section: set the stall bit of the CPU on which the caller runs. Safe against
 * preemption and migration at every instruction.
 * Returns the CPU, or NULL if the caller is not on a real-time CPU (then no bit was set).
 * Context: any. Cost: O(1), no read-modify-write.
 */
struct hal_cpu *hal_enter(void);

/**
 * End a nucleus section (of no more than some thousand instructions: CAVEATS.md): clear the stall
 * bit and, if an event was logged meanwhile, deliver it before the call returns. The caller may
 * have been switched out and in again since the section began, and may be on another CPU.
 * Context: stalled.
 */
void hal_leave(void);

/* Is the caller on a real-time CPU, in a nucleus section? For assertions. Context: any. */
bool hal_stalled(void);

/**
 * Make nuc_upcall_event() happen on the CPU soon. Kicks may be merged, but a kick never depends on
 * another one whose sender was preempted in the middle of it, or was interrupted there by the
 * handler of a signal. The upcall sees everything that the sender made visible before the kick
 * (release, paired with the acquire in the inbox).
 * Context: any, async-signal-safe.
 */
void hal_kick(struct hal_cpu *cpu);

/**
 * The CPU has nothing to run: wait for a kick or for the deadline, by the configured policy.
 * Returns when either has come. An early return is allowed only after an event, but the event may
 * bring nothing for the nucleus.
 * lead_ns: how much before the deadline to return (for the path of the nucleus, which spins the
 *          rest by hal_spin_until()).
 * Context: stalled, on the CPU's own stack.
 */
void hal_idle(struct hal_cpu *cpu, uint64_t deadline_ns, uint32_t lead_ns);

/**
 * A task is running: deliver nuc_upcall_event() at the deadline minus gravity_preempt_ns of the
 * back end. This replaces the last shot; HAL_NO_DEADLINE cancels it. A back end may still deliver
 * an earlier shot that it was asked for before; the nucleus then asks again.
 * Context: stalled.
 */
void hal_shot(struct hal_cpu *cpu, uint64_t deadline_ns);

/* How much earlier hal_shot() delivers. For a timer that is due within this time from now, spinning
 * is worth its cost. */
uint32_t hal_gravity_preempt_ns(struct hal_cpu *cpu);

/* What an event costs a running task, there and back: how long the task makes no progress because
 * of a shot, including the time to arm the shot. Measured on this machine or built in, whatever
 * gravity is configured. 0 if events cost nothing. Constant. Context: any, after the start. */
uint32_t hal_event_cost_ns(const struct hal_cpu *cpu);

/* How a CPU has waited since its start. Neither maximum contains time of the nucleus's own path. */
struct hal_waiting {
	uint64_t spun_ns; /* time spent on spinning, in hal_idle() and hal_spin_until() */
	/* The longest time between two readings of the clock while the CPU spun: an interrupt,
	 * another thread, the firmware or a hypervisor had the processor. */
	uint64_t gap_max_ns;
	/* The latest end of a sleep in hal_idle(), counted from the instant that was requested. */
	uint64_t wake_late_max_ns;
};

/* Read these figures, which belong to one CPU but not to one moment. Context: any. */
void hal_waiting(struct hal_cpu *cpu, struct hal_waiting *waiting);

/**
 * From here on the CPU runs a task of this Linux priority (SCHED_FIFO; 0: SCHED_OTHER). The Linux
 * priority of the CPU follows it, up to the configured one, as long as no event needs a higher one.
 * Only for CPUs that have `follows` set. The same value again costs no system call. The back end
 * chooses the priority of an idle CPU.
 * Context: stalled.
 */
void hal_cpu_follow(struct hal_cpu *cpu, unsigned linux_priority);

/* Hint to the processor that the caller polls (a pause instruction). Context: any. */
void hal_relax_processor(void);

#endif
