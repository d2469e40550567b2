/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a program that cannot go on. */
#ifndef LINUX_END_H
#define LINUX_END_H

/* Print this record, and end the program by this signal. Context: any thread. */
void linux_end(const char *record, int signal) __attribute__((noreturn));

#endif
