/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of Tactus on the standard error; and the end of a program that requires real time. */
#ifndef POSIX_SAY_H
#define POSIX_SAY_H

/* Write a message of Tactus, in one write. */
void posix_say(const char *text);

/* The beginning of a message that says why the program runs as without Tactus. */
#define POSIX_RUNS_PLAIN "runs without Tactus: "

/*
 * The same, for something that should be real time and remains Linux's. If real time is required,
 * this ends the program with that status, before the program has run so, from any thread.
 */
#define POSIX_REQUIRED_STATUS 125
void posix_say_plain(const char *text);

#endif
