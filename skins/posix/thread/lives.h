/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many threads of the program's live: the last one's end is the program's. */
#ifndef POSIX_LIVES_H
#define POSIX_LIVES_H

/* main() lives, and nobody else does; at the start, and in a fork's child. leave: what a thread
 * does before it is counted out that has not left the list yet. */
void posix_lives_begin(void (*leave)(void));
void posix_lives_forked(void);
/* One is about to be made; it could not be; and it is the caller. */
void posix_life_expect(void);
void posix_life_forget(void);
void posix_life_begins(void);
/* The calling thread is to count no more as soon as it destroys thread-local data. */
void posix_life_ends(void);
/* The C library calls functions of the program's (SIGEV_THREAD), as long as that lives. */
void posix_life_calls_back(void);

#endif
