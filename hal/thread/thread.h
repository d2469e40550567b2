/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread back end's own records. A real-time CPU is a pinned Linux thread, its *dispatcher*;
 * README.md tells the mechanism.
 */
#ifndef THREAD_THREAD_H
#define THREAD_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hal/hal.h"
#include "options.h"

/* The C library's own signals: cancellation, and set*id() across threads. */
#define THREAD_SIGNAL_CANCEL 32
#define THREAD_SIGNAL_SETXID 33

/*
 * Events (kicks and shots) come by the latter: of all signals programs can neither take nor block
 * it, nor wait for it, and debuggers pass it on without a word. si_code tells whose it is: the C
 * library sends by tgkill(). Not an unused standard signal: debuggers lose what they have no name
 * for.
 */
#define THREAD_SIGNAL_EVENT THREAD_SIGNAL_SETXID

#define THREAD_BIT(signal)  (1ull << ((signal)-1))
#define THREAD_CACHE_LINE   64
#define THREAD_PRIORITY     80u
#define THREAD_PRIORITY_MAX 97u /* two more are for the helper and the housekeeper */

enum thread_state {
	THREAD_RUNNING,  /* a kick needs the signal */
	THREAD_POLLING,  /* it looks at the kick word by itself */
	THREAD_SLEEPING, /* in a futex wait on the kick word */
};

enum thread_kick {
	THREAD_KICK_NONE,
	THREAD_KICK_ASKED,
	THREAD_KICK_PASSED, /* the helper has passed it on (follow.c) */
	THREAD_KICK_SENT,   /* by a CPU, which nothing holds up before it has passed it */
};

/* One real-time CPU. */
struct thread_port {
	_Alignas(THREAD_CACHE_LINE) _Atomic uint32_t kick; /* enum thread_kick; asked by anybody */
	_Atomic uint32_t state; /* enum thread_state; by the dispatcher */
	_Alignas(THREAD_CACHE_LINE) struct hal_cpu *cpu;
	uint32_t tid;
	_Atomic uint64_t spun_ns; /* by the dispatcher, as are the two that follow */
	_Atomic uint64_t gap_max_ns;
	_Atomic uint64_t wake_late_max_ns;
	_Atomic uint64_t armed_ns; /* HAL_NO_DEADLINE: nothing is armed */
	uint64_t busy_since_ns;    /* end of the last idle time */
	uint64_t asked_ns; /* first shot asked for since, counted from there; HAL_NO_DEADLINE: none
			    */
	_Atomic uint64_t signals; /* events and Linux calls that came by one; by the dispatcher */
	_Atomic uint64_t signals_seen; /* by the housekeeper, in its last round */
	int timer;
	int kick_timer; /* where no signal can be queued */
	/* The latest fault that an event was to send to its shadow, and which one that was. */
	struct hal_fault fault;
	uint64_t fault_event; /* 0: there was none */
	bool linger;          /* a task went to its shadow, or a Linux thread got its answer */
	stack_t fault_stack;
	struct hal_gravity gravity; /* idle_ns, preempt_ns: HAL_GRAVITY_UNSET until found */
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
	uint32_t away_rounds; /* for how many more it is away from its own CPU; 0: it is there */
	uint32_t away_cpu;
	_Atomic uint32_t moving; /* the dispatcher is changing it */
	int fault_fd[2];         /* page_faults.c: of minor and of major ones, -1: none */
	void *fault_ring;
	int error; /* why it did not start */
};

/* One program is one of these. Constant between hal_start() and hal_stop() unless atomic. */
struct thread_program {
	unsigned cpu_count;
	struct thread_port *ports;
	struct thread_options options;
	enum hal_idle idle;
	enum thread_shot shot;
	uint32_t shot_delay_ns; /* what calibration found of it */
	unsigned priority;
	unsigned shadow_priority_max;   /* above the CPUs' where Linux allows it */
	bool fifo;                      /* Linux gave us SCHED_FIFO */
	_Atomic bool may_raise;         /* and lets priorities rise yet: see thread_may_raise() */
	_Atomic uint32_t rights_change; /* so many threads are about to look at that */
	bool may_follow;                /* helpers are there for that (follow.c) */
	_Atomic bool follows; /* dispatchers are to have the running task's Linux priority */
	uint64_t dispatcher_mask;
	cpu_set_t other_cpus; /* where shadows and the housekeeper live */
	bool other_cpus_differ;
	int pid;
	_Atomic bool is_crowd;    /* crowd.c: signals wake too many that watch for theirs; */
	_Atomic bool crowd_comes; /* those that sleep are to be told of it */
	_Atomic uint32_t asleep;  /* shadows that sleep */
	bool holds;               /* leases, CPUs, pages: what a fork's child may not have */
	_Atomic bool forked;      /* this is a fork's child: no real-time CPUs here */
	char name[32];
};
extern struct thread_program thread_program;

static inline struct thread_port *thread_port_of(struct hal_cpu *cpu)
{
	return cpu->port;
}

/* check.c: how hal_start() begins: what it refuses at once, and thread_program as asked for. */
int thread_program_begin(const struct hal_config *config, bool running,
			 int (*parse)(const char *text, struct thread_options *options,
				      char reason[256]),
			 char reason[256]);
/* end.c: say this, and end by this signal, from whatever thread this is. */
void thread_end(const char *record, int signal) __attribute__((noreturn));
/* cause.c. The caller is the signal's handler. */
struct hal_fault thread_fault_of(int signal, const siginfo_t *info, const void *ucontext);
int thread_fault_signal(enum hal_fault_cause cause);

/* crowd.c: one round of the housekeeper, and whenever it was woken. */
void thread_crowd_watch(void);
void thread_crowd_tell(void);
/* One more signal that Linux has sent to this thread, the port's dispatcher. Context: any, also in
 * the signal's handler. */
void thread_crowd_count(struct thread_port *port);
/* event.c: the event went by unnoticed while stalled, or comes now. Context: stalled. */
void thread_event_deliver(struct hal_cpu *cpu);
/* The frame returns on the kernel thread that runs now: give it that thread's mask and stack. */
void thread_frame_adapt(void *ucontext);

/* Let events in again that the kernel blocked as a handler began. Context: stalled. */
void thread_events_unblock(void);

/* signals.c */
void thread_signals_install(void);
void thread_signals_restore(void);
/* In a fork's child: what the program does with its signals stands alone. */
void thread_signals_forked(void);
/* Had the program a handler for it before the start? */
bool thread_signal_is_handled(int signal);
/* Hand a signal on to whoever had it before us. */
void thread_signal_chain(int signal, siginfo_t *info, void *ucontext);
/* The same without a call of Linux's: thread_handler_pass(). */
void thread_signal_pass(int signal, siginfo_t *info, void *ucontext);
/* fault.c */
int thread_fault(int signal, siginfo_t *info, void *ucontext);
/* forward.c: one that came to a dispatcher, but was sent to the program. */
void thread_signal_forward(int signal, siginfo_t *info);
/* linux_call.c */
int thread_linux_call(int signal, siginfo_t *info, void *ucontext);
/* setxid.c: the same, on a dispatcher, whose stall bit the caller has taken. */
int thread_setxid(siginfo_t *info, void *ucontext, uint32_t was_stalled);

/* shadow.c: the shadow that runs the caller, or NULL. */
struct hal_shadow *thread_shadow_self(void);
/* shadow_tells.c: none is in the middle of telling, with what was there before. Context: linux. */
void shadow_await_told(void);
/* shadow_wait.c: what none waits with is given back. Context: linux. */
void shadow_waits_drop(void);
/* A section ended on a shadow: its signals may come again. */
void thread_shadow_unblock(struct hal_self *self);

/* follow.c, where thread_program.may_follow. The dispatcher's: do as the program is to. Context:
 * stalled. */
void thread_follow_change(struct thread_port *port);
static inline void thread_follow_look(struct thread_port *port)
{
	if (__builtin_expect(
		    atomic_load_explicit(&port->follows, memory_order_relaxed) !=
			    atomic_load_explicit(&thread_program.follows, memory_order_relaxed),
		    0))
		thread_follow_change(port);
}
/* One round of the housekeeper. */
void thread_follow_watch(void);
void thread_follow_idle(struct thread_port *port, uint64_t target_ns);
void thread_follow_raise(struct thread_port *port);
void thread_follow_keep(struct thread_port *port);

/* Pass a kick on, by what the dispatcher does. */
void thread_kick_pass(struct thread_port *port);
/* A kick by signal, which cannot fail. */
void thread_signal_send(struct thread_port *port);

/* shot_posix.c and shot_helper.c. Arm for the instant, which replaces what was armed. */
int thread_posix_open(struct thread_port *port);
void thread_posix_close(struct thread_port *port);
void thread_posix_arm(struct thread_port *port, uint64_t instant_ns);
void thread_posix_kick(struct thread_port *port); /* at once, by a place that is reserved */
int thread_helper_open(struct thread_port *port);
void thread_helper_close(struct thread_port *port);
void thread_helper_arm(struct thread_port *port, uint64_t instant_ns);
void thread_helper_call(struct thread_port *port); /* it looks for shots and kicks again */
void thread_helper_settle(struct thread_port *port, uint64_t target_ns); /* before idling to it */
void thread_helper_move(struct thread_port *port, const cpu_set_t *cpus);
/* shot.c */
int thread_shot_open(struct thread_port *port, bool choose);
void thread_shot_close(struct thread_port *port);
void thread_shot_disarm(struct thread_port *port);
/* Arm for the instant, unless something earlier is armed. */
void thread_shot_at_latest(struct thread_port *port, uint64_t instant_ns);
/* Idle until target_ns: arm what will probably be asked for after it. */
void thread_shot_predict(struct thread_port *port, uint64_t target_ns);

/* An idle CPU's lead, as found out or learned. */
#define THREAD_LEAD_LEAST_NS 1000u
#define THREAD_LEAD_MOST_NS  200000u

/* calibrate.c, on a dispatcher before it serves. */
bool thread_calibrate_shot(struct thread_port *port, uint32_t *delay_ns);
uint32_t thread_calibrate_idle(void);

/* time.c */
void thread_time_start(void);
/* hal_ticks() at the instant or just after it; of a past one any that has been. */
uint64_t thread_time_counter(uint64_t instant_ns);
bool thread_time_is_vdso(uintptr_t ip);
/* spin.c: what was given for the CPU; where nothing was, the usual. */
void thread_gravity_of(const struct hal_cpu *cpu, const struct hal_gravity *usual,
		       struct hal_gravity *gravity);
/* spin.c */
void thread_spun(struct thread_port *port, uint64_t ns, uint64_t gap_ns);
void thread_woken(struct thread_port *port, uint64_t late_ns);

/* stack.c, slab.c, memory.c */
void thread_stacks_start(bool lock);
void thread_stacks_stop(void);
/* As hal_stack_get() and hal_stack_put(): one that no real-time CPU runs on. Its memory comes as it
 * is used, and stays then; zeros are not promised. */
int thread_stack_get(size_t bytes, struct hal_stack *stack);
void thread_stack_put(const struct hal_stack *stack);
bool thread_stacks_guard(uintptr_t address);
/* Does a fork's child get the stack that the caller runs on? */
void thread_stacks_inherit(bool inherited);
bool thread_memory_lock(void *memory, size_t bytes);
/* fault_stack.c: a dispatcher's, which is there as a whole. */
int thread_fault_stack_get(stack_t *stack);
void thread_fault_stack_put(const stack_t *stack);
/* This page is a guard from now on, and a mapping for itself, or not. False: Linux has no room. */
bool thread_guard(void *page, bool *is_mapping);
/* Shadows' that none has are given back. */
void shadow_fault_stacks_drop(void);
/* tls.c: the program's thread-local data in whole pages, and a stack with so much beside it. */
size_t thread_tls_bytes(void);
void thread_set_stack(pthread_attr_t *attributes, size_t bytes);
/* light.c */
int thread_light_start(void);
bool thread_light_tls(uintptr_t address);
uint64_t thread_light_base(void);

/* sanitized.c */
bool thread_is_sanitized(void);
void thread_ends(void); /* the last thing that a thread of Tactus's own does */

/* rseq.c */
void thread_rseq_leave(void);
void thread_rseq_enter(void);

/* page_faults.c, on the dispatcher. Opening: hal_cpu.page_faults stays NULL where Linux refuses. */
void thread_page_faults_open(struct thread_port *port);
void thread_page_faults_close(struct thread_port *port);

/* housekeeper.c */
int thread_housekeeper_start(void);
/* What else its rounds have to do, or NULL; set before it starts. */
extern void (*thread_housekeeper_also)(void);
void thread_housekeeper_raise(void); /* to real-time priority */
void thread_housekeeper_stop(void);
void thread_housekeeper_wake(void);
void thread_housekeeper_invite(uint64_t now_ns); /* by a dispatcher that shares its CPU with it */
/* print.c */
/* waits: until the reader has room. False: something is left for want of that. */
bool thread_print_drain(bool waits);
void thread_print_finish(void); /* who drains otherwise is about to end */
void thread_print_now(const char *text, size_t bytes);

/* The libc may be called now, on a dispatcher too; for the last words of a program only. */
void thread_own_tls(void);
/* look.c */
void thread_look_start(void);
void thread_status_close(void);

/* fork.c */
void thread_fork_start(void);
/* unshare.c: the program's pages are its own again soon, by a thread that ends with the second. */
void thread_unshare(void);
void thread_unshare_stop(void);

/* reason.c. reason: the sentence of hal_start(); each adds one, whole or not at all. */
void thread_notice(char reason[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
int thread_refuse(char reason[256], int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* rights.c: SCHED_FIFO, at the priority asked for or the highest that the user's limit allows, or
 * none: -TACT_EPERM where it is required. */
int thread_find_priority(bool require, char reason[256]);
void thread_rights_look(void);
bool thread_may_raise(void);
void thread_hold_memory(char reason[256]);

/* task_file.c: of a thread of this program, by Linux's account. Ready: it runs or could run.
 * Source: proc_pid_stat(5). */
bool thread_task_is_ready(uint32_t tid);
/* What it ran, and what it waited for a CPU, counted at the end of each wait. False: there is no
 * such thread. Source: Linux Documentation/scheduler/sched-stats.rst. */
bool thread_task_times(uint32_t tid, unsigned long long *ran_ns, unsigned long long *waited_ns);
/* The threads of this program: a descriptor, and the thread behind a position, which begins at 0
 * and moves on. 0: there are no more. */
int thread_tasks_open(void);
uint32_t thread_tasks_next(int tasks, off_t *behind);

/* limits.c */
bool thread_may_trap(void);
void thread_caller_leaves(void); /* the CPUs that the dispatchers take */
void thread_caller_returns(void);

/*
 * aside.c: the same file (or error, below 0) by a number that programs do not count on; it is
 * closed by an exec. Context: linux.
 */
int thread_aside(int fd);
/* And the end of one: no cancellation point, for what goes on around it is none. */
void thread_close(int fd);

/* place.c: which Linux CPUs; takes their leases. */
int thread_place(const struct hal_config *config, uint32_t linux_cpus[], char reason[256]);
/* Adds the CPUs of one of Linux's lists (2,4-7); of none where there is no such file. */
void thread_read_cpus(const char *path, cpu_set_t *set);
/* lease.c */
int thread_lease_take(uint32_t linux_cpu, bool share, char holder[64]);
/* Of nobody, or of programs that share it, and serve whoever is most urgent. */
bool thread_lease_is_free(uint32_t linux_cpu);
/* Of nobody at all. */
bool thread_lease_is_unused(uint32_t linux_cpu);
/* Has another program a lease of one of ours, too? Cost: one system call a lease. */
bool thread_leases_are_shared(void);
void thread_leases_drop(void);
/* settings.c and guardian.c */
void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[256]);
void thread_settings_stop(void);
void thread_settings_forget(void); /* in a fork's child */

#endif
