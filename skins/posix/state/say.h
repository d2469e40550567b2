/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of Tactus's own, on the error output; and the end of a program that requires real time. */
#ifndef POSIX_SAY_H
#define POSIX_SAY_H

/* One write of a line of Tactus's own. */
void posix_say(const char *text);

/* How a text begins that tells why the program runs as under Linux. */
#define POSIX_RUNS_PLAIN "runs without Tactus: "

/*
 * The same, of something that is to be real time and stays Linux's; where real time is required it
 * ends the program with that status, before it has run so, from whatever thread this is.
 */
#define POSIX_REQUIRED_STATUS 125
void posix_say_plain(const char *text);

#endif
