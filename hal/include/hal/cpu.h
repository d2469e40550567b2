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

#define HAL_PAGE_FAULT_STEP 8u

enum hal_self_kind {
	HAL_SELF_CPU = 1,    /* a real-time CPU, primary mode */
	HAL_SELF_SHADOW = 2, /* a shadow, secondary mode */
};

/*
 * What the running kernel thread is. The back end makes it reachable without a system call and
 * without thread-local storage (on x86-64 through the GS base). hal/arch/ fixes the offsets.
 */
struct hal_self {
	struct hal_self *self;
	uint32_t stalled; /* written by this thread only, also from its signal handlers */
	uint32_t pending; /* an event arrived while stalled; same writer */
	uint32_t kind;    /* enum hal_self_kind */
	uint32_t reserved;
};

/* One real-time CPU. The nucleus embeds it as the first member of its own record. */
struct hal_cpu {
	struct hal_self self;
	uint32_t index;     /* 0 … count - 1 */
	uint32_t linux_cpu; /* the Linux CPU it runs on; its index on sim */
	void *port;         /* the back end's own record */
	/* Set by the back end: the program's Linux threads have other CPUs than this. Constant. */
	bool apart;
	/* Set by the back end: it wants hal_cpu_follow(). May change while the CPU is in hal_idle()
	 * or at an event. */
	bool follows;
	/* A bit for each interrupt of a device's (hal/device.h) that came: set by the back end, on
	 * this CPU, before the event is delivered; the nucleus clears what it takes. Stalled. */
	uint32_t interrupts;
	/*
	 * Set by the back end: a word that grows by HAL_PAGE_FAULT_STEP with each page fault that
	 * was served on this CPU; read by the CPU itself. NULL: they are not counted. Constant from
	 * nuc_upcall_start() on.
	 */
	const volatile uint64_t *page_faults;
};

/* What an idle CPU does until the next deadline. */
enum hal_idle {
	HAL_IDLE_HYBRID, /* sleep until the deadline minus gravity, spin the rest */
	HAL_IDLE_SLEEP,  /* sleep until the deadline */
	HAL_IDLE_SPIN,   /* never sleep */
};

/* Delivery delays to anticipate, in nanoseconds; HAL_GRAVITY_UNSET: the back end finds them itself.
 */
#define HAL_GRAVITY_UNSET UINT32_MAX

struct hal_config {
	const char *program; /* shown by tools; copied */
	const char
		*options; /* back-end options "name=value,…" (hal/<back end>/README.md), or NULL */
	unsigned cpu_count; /* 1 … HAL_MAX_CPUS */
	const uint32_t
		*linux_cpus; /* cpu_count entries, HAL_ANY_CPU lets the back end choose; or NULL */
	unsigned priority;   /* Linux SCHED_FIFO priority of a real-time CPU; 0: the default, 80 */
	enum hal_idle idle;
	bool share;                  /* allow other programs on the same CPUs */
	bool require;                /* SCHED_FIFO, or fail */
	uint32_t gravity_idle_ns;    /* lead of an idle CPU before a deadline */
	uint32_t gravity_preempt_ns; /* lead of a timer shot at a running task */
};

/**
 * Start the real-time CPUs: each runs nuc_upcall_start() on a stack of its own, stalled.
 * cpus: records with storage that outlives hal_stop(); the back end fills struct hal_cpu.
 * reason: 256 bytes; on failure a sentence that says what to do, on success a notice of what the
 * machine could not give ("" when nothing is missing).
 *
 * Returns 0, or
 *   -TACT_EINVAL  an option that the back end does not know or a value out of range
 *   -TACT_ENXIO   a CPU that does not exist
 *   -TACT_EPERM   a CPU that this process may not use, or no SCHED_FIFO (and require set)
 *   -TACT_EBUSY   a CPU leased to another program (and share not set)
 *   -TACT_ENOMEM  memory or locked memory
 *   -TACT_ENOSYS  the kernel or processor lacks what this back end needs
 * Context: linux, once.
 */
int hal_start(const struct hal_config *config, struct hal_cpu *const cpus[], char reason[256])
	__attribute__((warn_unused_result));

/**
 * Stop the real-time CPUs and give back everything that hal_start() took. The CPUs must be idle in
 * hal_idle() or about to be. Waits for shadows that are just telling (hal_shadow_tells()). Context:
 * linux.
 */
void hal_stop(void);

/**
 * The process exits: give back now what the next program would find changed. The real-time CPUs run
 * on until Linux ends the process, as other threads do.
 * Returns false where they cannot: hal_stop() is needed. Context: linux.
 */
bool hal_exit(void);

/**
 * Begin a nucleus section: sets the stall bit of the CPU that the caller runs on.
 * Returns the CPU, or NULL when the caller is not on a real-time CPU (nothing was set then).
 * Safe against preemption and migration at every instruction. Context: any. Cost: O(1), no
 * read-modify-write.
 */
struct hal_cpu *hal_enter(void);

/**
 * End a nucleus section (of no more than some thousand instructions: CAVEATS.md): clears the stall
 * bit and, if an event was logged meanwhile, delivers it before returning. The caller may have been
 * switched out and in, and may be on another CPU. Context: stalled.
 */
void hal_leave(void);

/* Is the caller on a real-time CPU, in a nucleus section? For assertions. Context: any. */
bool hal_stalled(void);

/**
 * Make nuc_upcall_event() happen on the CPU soon. Kicks merge, but none waits for one whose sender
 * is preempted, or interrupted by a signal's handler, in the midst of it. An event that the sender
 * made visible before the kick is seen by that upcall (release, paired with the acquire in the
 * inbox). Context: any, async-signal-safe.
 */
void hal_kick(struct hal_cpu *cpu);

/**
 * Nothing to run: wait for a kick or for the deadline, by the configured policy. Returns when
 * either is there, never before without a cause that the nucleus can see, but spurious returns are
 * allowed. lead_ns: return this much before the deadline (the nucleus's own path; it spins the
 * rest by hal_spin_until()). Context: stalled, on the CPU's own stack.
 */
void hal_idle(struct hal_cpu *cpu, uint64_t deadline_ns, uint32_t lead_ns);

/**
 * A task is running: deliver nuc_upcall_event() at the deadline, minus the back end's
 * gravity_preempt_ns. Replaces the last shot; HAL_NO_DEADLINE cancels. A back end may deliver
 * earlier shots of which it was told before; the nucleus asks again. Context: stalled.
 */
void hal_shot(struct hal_cpu *cpu, uint64_t deadline_ns);

/* What hal_shot() anticipates: a timer within this reach of now is worth the spinning. */
uint32_t hal_gravity_preempt_ns(struct hal_cpu *cpu);

/* What an event costs a running task, there and back: how long the task does not get on for a
 * shot's sake, arming it included, as found on this machine or built in, whatever is configured to
 * be anticipated. 0 where events cost nothing. Constant. Context: any, after start. */
uint32_t hal_event_cost_ns(const struct hal_cpu *cpu);

/* How a CPU has waited since its start. Neither maximum has a part of the nucleus's in it. */
struct hal_waiting {
	uint64_t spun_ns; /* spun away in hal_idle() and hal_spin_until() */
	/* The longest time between two looks at the clock while it spun: an interrupt, another
	 * thread, the firmware or a hypervisor had the processor. */
	uint64_t gap_max_ns;
	/* The latest end of a sleep in hal_idle(), counted from the instant that was asked for. */
	uint64_t wake_late_max_ns;
};

/* Context: any; the figures are of one CPU, not of one moment. */
void hal_waiting(struct hal_cpu *cpu, struct hal_waiting *waiting);

/**
 * A task of this Linux priority (SCHED_FIFO; 0: SCHED_OTHER) runs from here on: the CPU's own
 * follows it, up to the configured one, as long as no event wants more. Only for CPUs that have
 * `follows` set; the same value again costs no system call. Which one an idle CPU has is the back
 * end's affair. Context: stalled.
 */
void hal_cpu_follow(struct hal_cpu *cpu, unsigned linux_priority);

/* May the caller's thread use the processor cheaply for polling? A pause hint. Context: any. */
void hal_relax_processor(void);

#endif
