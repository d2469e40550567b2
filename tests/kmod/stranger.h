/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Others who meddle with a program, for the fuzzer: a process that gets the file through a socket,
 * a debugger, a page that user space brings late, huge pages, limits. */
#ifndef TESTS_KMOD_STRANGER_H
#define TESTS_KMOD_STRANGER_H

#include "chance.h"

/* Once, for the machine: huge pages. */
void stranger_prepare(void);
/* A process that is there before the device is opened; returns the socket to it, or -1. It says
 * hello on the file that it is given, perhaps, and does `act` on it. */
int stranger_begin(struct chance *chance, void (*act)(struct chance *chance, int device));
void stranger_give(int stranger, int device);
/* One of: debugger, late page at `page`, huge pages, no system calls any more. */
void stranger_meddle(struct chance *chance, int device, void *page);
/* Rights and limits of somebody who is not root. */
void stranger_become(struct chance *chance);

#endif
