/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The number of the program's threads: when the last one ends, the program ends. */
#ifndef POSIX_LIVES_H
#define POSIX_LIVES_H

/* Only the calling thread lives: at the start, and in a fork's child. leave: called in a thread
 * that has not left the list yet, before it is counted out. */
void posix_lives_begin(void (*leave)(void));
void posix_lives_forked(void);
/* A thread is about to be made; it could not be made; it begins, as the caller. */
void posix_life_expect(void);
void posix_life_forget(void);
void posix_life_begins(void);
/* The calling thread is to be counted out as soon as it destroys thread-local data. */
void posix_life_ends(void);
/* The C library calls functions of the program (SIGEV_THREAD), as long as the program lives. */
void posix_life_calls_back(void);

#endif
