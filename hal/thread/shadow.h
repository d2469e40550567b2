/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A shadow's record, and its life: of created threads (shadow.c) and of adopted ones (adopt.c). */
#ifndef THREAD_SHADOW_H
#define THREAD_SHADOW_H

#include "policy.h"
#include "thread.h"

/* The Linux thread of a full task. The kernel thread's GS base is self. */
struct hal_shadow {
	struct hal_self self;
	void *owner;
	_Atomic(struct hal_context *) run; /* the next context to go on with */
	struct hal_context loop;           /* shadow_loop() while a task's context runs here */
	struct hal_context end;            /* what its task was when it was stopped */
	uintptr_t own_stack;               /* of an adopted thread: where it was then */
	uintptr_t end_stack;               /* of one: the bottom of the memory where it ends */
	size_t end_bytes;                  /* of that */
	uintptr_t stack_base, stack_top;   /* of one: its stack */
	uintptr_t to_hold;                 /* of that, what is to be there and locked soon, */
	_Atomic size_t to_hold_bytes;      /* and how much */
	uint64_t tls;                      /* 0: ended */
	uint32_t memory_rights;            /* as it began */
	struct hal_shadow *next;           /* of the ended ones */
	uint64_t mask;    /* the task's signal mask, kept while the shadow is parked */
	uint64_t watched; /* the signals that it hears of while it is parked */
	struct shadow_signals *signals; /* tells of those: shadow_wait.c; NULL: it looks */
	bool watches;                   /* they are in the set */
	bool watches_files;             /* its task's are, or were */
	int event_fd;
	int epoll_fd;
	uint32_t still_rounds;  /* in how many of the housekeeper's it was here and did not run; */
	uint32_t refuge_rounds; /* for how many more it may be on a real-time CPU (refuge.c) */
	bool told;              /* the owner, of a signal */
	_Atomic bool telling;   /* the owner is being told (shadow_tells.c) */
	_Atomic bool ended;     /* the owner is no more: nothing is to be told */
	bool short_stay;        /* the last one was */
	_Atomic bool asleep;    /* send a message */
	_Atomic bool traps;     /* its calls do (trap.c) */
	bool doomed;            /* they did: mask is kept for its end; by its own thread, as is */
	uint64_t doomed_mask;   /* what is blocked until then */
	uint32_t tid;
	_Atomic uint32_t priority; /* that its task is to have here, whatever room.c makes of it */
	_Atomic uint32_t linux_level; /* what Linux was told last */
	_Atomic bool parked;          /* no context was given to it since it parked */
	_Atomic bool stands_back;     /* not above its task, though it is */
	bool adopted;
	bool confined; /* of an adopted one: its affinity was changed, as it was adopted; */
	bool refuged;  /* or since, by refuge.c */
	bool unwinds;  /* of an adopted one: the stack that its task left, as it ends */
	stack_t fault_stack;
	struct hal_stack loop_stack;
	struct thread_policy former_policy;
	cpu_set_t former_affinity;
	char name[16];
	_Atomic uint32_t ready;
	struct hal_shadow *known; /* shadow_first_known(); from here on kept by the next life */
	_Atomic uint32_t stay;    /* odd: its task is here; by its own thread */
	uint32_t stay_seen;       /* by the housekeeper, in its last round: that, */
	uint64_t ran_ns;          /* and the thread's processor time */
	_Atomic uint64_t took_ns; /* what it took of a CPU in the last round (room.c) */
};

/*
 * Blocked while parked. Cancellation (32) is, though the C library would not have it so: its
 * handler may unwind the stack it runs on, which has to be the task's. A blocked 33 would hang
 * setuid().
 */
#define SHADOW_PARKED_MASK (~THREAD_BIT(THREAD_SIGNAL_SETXID))

/* Of hal_shadow.stay. */
#define SHADOW_IS_HERE(stay) ((stay) % 2 != 0)

/* All records that ever were, the next one by `known`: there for good, ended or not. */
struct hal_shadow *shadow_first_known(void);

/* A record for a new life, or NULL: no memory. */
struct hal_shadow *shadow_record_get(void);
void shadow_record_put(struct hal_shadow *record);

/* housekeeper.c: between these it may do something to a shadow; false: not now. */
bool shadow_keeper_begins(void);
void shadow_keeper_ends(void);
/* Between these it does nothing to any of them. */
void shadow_keeper_lock(void);
void shadow_keeper_unlock(void);
/* From here on it does nothing to this one: its numbers, and its files', may be others' soon. */
void shadow_withdraw(struct hal_shadow *shadow);
/* It looks at thread_program.is_crowd. */
void shadow_tell_of_crowd(struct hal_shadow *shadow);
/* crowd.c: how often one that does not watch looks for signals. */
unsigned shadow_look_ms(void);

/* Returns 0 or -TACT_ENOMEM. Context: linux. */
int shadow_open(void *owner, unsigned priority, struct hal_shadow **result);
void shadow_close(struct hal_shadow *shadow);

/* Context of these: the thread itself. */
void shadow_become(struct hal_shadow *shadow);
/* It is a plain thread again, and the record is gone. */
void shadow_cease(struct hal_shadow *shadow);
/* Its task's context is saved: the nucleus may have it. */
void shadow_park(struct hal_shadow *shadow);
/* Run what comes, until the shadow is destroyed. */
void shadow_loop(struct hal_shadow *shadow);
/* The next context to go on with; NULL: the shadow ends. */
struct hal_context *shadow_parked(struct hal_shadow *shadow);

/* The context that it is to go on with; its priority is right already. Context: stalled. */
void shadow_parked_run(struct hal_shadow *shadow, struct hal_context *context);

/* shadow_priority.c. Has Linux been told of its priority by somebody else? Tell again. */
void shadow_priority_apply(struct hal_shadow *shadow);
/* By itself, about to have another user, which may lower priorities and not raise them. */
void shadow_priority_keep(struct hal_shadow *shadow);
/* It parks, or ends. Its task's context given, hal_shadow_run() says that it is parked no more. */
void shadow_priority_park(struct hal_shadow *shadow, bool parked);
/* By itself, parked, with a signal to tell of: where its task does not compute, those of the same
 * priority that came before go first. */
void shadow_priority_stand_back(struct hal_shadow *shadow);
/* The housekeeper's: its task may compute by now, without those having let it tell. */
void shadow_priority_round(void);

/* adopt.c, in each round of the housekeeper: some of the stacks that came in parts are there as a
 * whole, and locked. */
void shadow_hold_round(void);

/* shadow_tells.c, by itself, parked: key has become readable; its task goes on with handlers of
 * signals; its task is to come for a signal. */
void shadow_tell_watched(struct hal_shadow *shadow, void *key);
void shadow_tell_handlers(struct hal_shadow *shadow);
void shadow_tell_signal(struct hal_shadow *shadow);

/* room.c: Linux's for one of this priority that makes room; it does so no more. */
unsigned shadow_room_priority(unsigned level);
void shadow_room_end(struct hal_shadow *shadow);

/* refuge.c, in each round of the housekeeper: one that was kept from running for so many rounds may
 * be on the real-time CPUs, too. */
void shadow_refuge_round(uint32_t rounds);
/* For so many rounds: what it costs to be kept waiting anew is little. */
#define SHADOW_REFUGE_ROUNDS 100u
/* A thread that has the CPUs which are left to Linux gets the real-time ones, too; false: it has
 * others, by its own wish. And the end of that. */
bool shadow_refuge_open(uint32_t tid);
void shadow_refuge_close(uint32_t tid);
/* refuge_plain.c: the same for threads without a task. */
void shadow_refuge_plain_round(void);
/* refuge_end.c: and for all threads, before the program ends. */
void shadow_refuge_at_exit(void);

/* trap.c. Its calls trap, until its task has ended. Context: the thread itself. */
void shadow_trap_on(struct hal_shadow *shadow);
void shadow_trap_off(struct hal_shadow *shadow);
/* The handlers for that are there; or may they go? True: none traps any more, nor will. */
void shadow_traps_begin(void);
bool shadow_traps_end(void);

/* shadow_wait.c: what it waits with. 0 or -TACT_ENOMEM; close in any case. */
int shadow_wait_open(struct hal_shadow *shadow);
void shadow_wait_close(struct hal_shadow *shadow);
/* From here on it is told, parked, of the signals that its task lets in. Context: the thread itself
 * before it parks, or who makes it: with all signals blocked, and thread-local data of its own. */
void shadow_signals_choose(struct hal_shadow *shadow);
/* By itself, parked: it watches for them, or not; what it does then. And once more, after they were
 * told of. */
bool shadow_signals_watch(struct hal_shadow *shadow, bool watches);
void shadow_signals_watch_again(struct hal_shadow *shadow);
/* fault_stack.c. 0 or -TACT_ENOMEM; put in any case. */
int shadow_fault_stack_get(stack_t *stack);
void shadow_fault_stack_put(const stack_t *stack);
/* Whose addresses are the keys of messages and signals in the set. */
extern const char shadow_message_key, shadow_signals_key;

#endif
