/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that may be here instead of in Linux, in a table whose places never move. */
#ifndef POSIX_TIMER_REGISTRY_H
#define POSIX_TIMER_REGISTRY_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <signal.h>
#include <time.h>

#include "posix/state/record.h"
#include "posix/state/residency.h"
#include "posix/state/signal_bits.h"
#include "posix/timer/interval_timer.h"

#define POSIX_TIMERS 64u

/* Two cache lines each, so that a place is found by a shift. */
struct posix_timer {
	/* First: the record is found by it. Without a kind there is no timer, or not yet. */
	_Alignas(64) struct posix_residency residency;
	_Atomic bool taken; /* the place has a timer, or one is being made in it */
	timer_t id;
	int signal;       /* 0: none (SIGEV_NONE, SIGEV_THREAD) */
	bool by_thread;   /* SIGEV_THREAD */
	bool by_interval; /* ITIMER_REAL, which has no number */
	pid_t tid;        /* the thread that gets the signal; 0: the program */
	union sigval value;
	struct posix_interval_timer interval_timer;
	_Atomic int overruns; /* of the expiry that was accepted last */
};

extern struct posix_timer posix_timers[POSIX_TIMERS];

static inline bool posix_timer_is_there(const struct posix_timer *timer)
{
	return atomic_load(&timer->residency.kind);
}

/* As posix_residency_is_user(). */
static inline bool posix_timer_is_resident(const struct posix_timer *timer)
{
	return posix_timer_is_there(timer) &&
	       posix_interval_timer_is_resident(&timer->interval_timer);
}

/* Was it ever here, or does it move here now? */
static inline bool posix_timer_has_moved(const struct posix_timer *timer)
{
	return atomic_load(&timer->residency.moves);
}

static inline uint64_t posix_timer_bit(const struct posix_timer *timer)
{
	return timer->signal ? posix_signal_bit(timer->signal) : 0;
}

/* The overruns of so many expiries at once, DELAYTIMER_MAX at most. */
static inline int posix_timer_overruns(uint64_t count)
{
	return count - 1 < INT_MAX ? (int)(count - 1) : INT_MAX;
}

/* May the calling thread get its signal? */
static inline bool posix_timer_is_mine(const struct posix_timer *timer, uint64_t bits)
{
	return bits & posix_timer_bit(timer) && (!timer->tid || timer->tid == posix_me.tid);
}

/* NULL: it is not known. */
struct posix_timer *posix_timer_find(timer_t id);
/* A place in which one can be made; NULL: there is none. */
struct posix_timer *posix_timer_take_place(void);
/* The timer has been made, or is being deleted. */
void posix_timer_begin(struct posix_timer *timer);
void posix_timer_end(struct posix_timer *timer);

/* The timer by_interval; NULL: it is not known. */
extern _Atomic(struct posix_timer *) posix_itimer;
int posix_itimer_query(struct itimerspec *left);
int posix_itimer_set_in_linux(const struct itimerspec *times);
bool posix_itimer_has_expired(void);

/* Query what is left of it in Linux; set it there. As timer_gettime() and timer_settime(). */
int posix_timer_query(const void *timer, struct itimerspec *left);
int posix_timer_set_in_linux(const struct posix_timer *timer, int flags,
			     const struct itimerspec *times);

/* Does it make no difference to the program whether it is in Linux? */
bool posix_timer_can_be_resident(const struct posix_timer *timer);

/*
 * Around operations on Linux's timer that move it. In between no other thread moves it, but a
 * resident timer may be set. A thread that moves no timer takes only the lock of
 * posix_timers_domain.
 */
void posix_timer_move_begin(struct posix_timer *timer);
void posix_timer_move_end(struct posix_timer *timer);
/* In between: export it if it is here. */
void posix_timer_export(struct posix_timer *timer);
/* To be called before it is here: from now on a thread that unblocks its signal has to look. */
void posix_timer_comes(const struct posix_timer *timer);

/* timers_due.c, for the kind of a timer. */
bool posix_timer_import(struct posix_residency *residency);

/* timer_threads.c. ready: can timers by SIGEV_THREAD be here? look: such a timer was set; its
 * thread has to look. */
bool posix_timer_threads_ready(void);
void posix_timer_threads_look(void);

/* Does Linux have this signal for the caller? */
bool posix_signal_is_pending(int signal);

#endif
