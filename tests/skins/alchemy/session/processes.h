/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases with several processes of one session. The case's own process starts none of Tactus; it
 * makes the others, which say by marks (numbers on a page that all share) how far they are, and
 * ends them.
 */
#ifndef TESTS_ALCHEMY_PROCESSES_H
#define TESTS_ALCHEMY_PROCESSES_H

#include "alchemy_test.h"

#include <sys/types.h>

#include <alchemy/sem.h>

#define SECONDS 1000000000ull /* in ticks */

/* A session of the case's own, of which nothing is left at its end. Skips in virtual time. */
void session_begin(void);
/* The same, for programs that name no session. */
void session_begin_nameless(void);
/* A process that runs body, with Tactus started. */
pid_t process_begin(void (*body)(void));
/* Wait until it has ended well. */
void process_end(pid_t process);
void process_kill(pid_t process);
/* One process after the other, `count` of them, is killed at a random moment after it has reached
 * the place; no other process reaches this place. */
void kill_at_random(void (*body)(void), uint32_t count, unsigned int seed, unsigned int place);
/* A session of two processes that run at the same time and end without an error. */
void owner_and_user(void (*owner)(void), void (*user)(void));

/* A reached place is known to all processes, which can wait for it; places are 0 to 31. */
void reach(unsigned int place);
void await(unsigned int place);
/* The place counts: how often it was reached. */
uint32_t reached(unsigned int place);
/* Start from the beginning. */
void reach_none(void);

/* Until so many wait for it. */
void until_waiters(RT_SEM *sem, int count);

/* Names in the session's folder, and whether there is one. */
unsigned int names_left(void);
bool session_is_there(void);

#endif
