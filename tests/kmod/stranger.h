/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other processes that interfere with a program, for the fuzzer: one that gets the file through a
 * socket, a debugger, a page that user space supplies late, huge pages, limits. */
#ifndef TESTS_KMOD_STRANGER_H
#define TESTS_KMOD_STRANGER_H

#include "chance.h"

/* Called once for the machine: huge pages. */
void stranger_prepare(void);
/* A process that exists before the device is opened; returns the socket to it, or -1. It may send
 * HELLO on the file that it gets, and does `act` on it. */
int stranger_begin(struct chance *chance, void (*act)(struct chance *chance, int device));
void stranger_give(int stranger, int device);
/* One of: debugger, late page at `page`, huge pages, no system calls any more. */
void stranger_meddle(struct chance *chance, int device, void *page);
/* Rights and limits of a user other than root. */
void stranger_become(struct chance *chance);

#endif
