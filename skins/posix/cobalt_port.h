/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the skin that stands on this one may use of it: skins/cobalt includes this header of the
 * POSIX skin and no other (dev/check_includes.py). Beside these, Cobalt calls the functions that
 * programs call, under the names that the table of calls gives them.
 */
#ifndef POSIX_COBALT_PORT_H
#define POSIX_COBALT_PORT_H

/* The C library: its own functions, clocks and dates, the layout of its objects. */
#include "posix/libc/clock.h"
#include "posix/libc/futex.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"

/* The program: its real-time half, its identity, its messages, and which threads stay in Linux. */
#include "posix/process/memory.h"
#include "posix/process/start.h"
#include "posix/state/half.h"
#include "posix/state/identity.h"
#include "posix/state/say.h"
#include "posix/state/stay.h"

/* Threads: the caller's record, the records of others, and their policies. */
#include "posix/state/record.h"
#include "posix/thread/records.h"
#include "posix/thread/thread.h"

/* Calls: their begin, and memory of the program that may not be there. */
#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"

/* Waits: at an address, at an object of the nucleus; which thread waits where. */
#include "posix/park/slots.h"
#include "posix/park/wait.h"
#include "posix/park/waiter.h"

/* Mutexes of the C library. */
#include "posix/sync/mutex.h"

#endif
