/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of Xenomai's configuration that programs read. */
#ifndef XENO_CONFIG_H
#define XENO_CONFIG_H

/* Period of a test program if none is given, ns. */
#define CONFIG_XENO_DEFAULT_PERIOD 100000

/* The release of Xenomai that has these interfaces. */
#define CONFIG_XENO_COBALT         1
#define CONFIG_XENO_VERSION_MAJOR  3
#define CONFIG_XENO_VERSION_MINOR  3
#define CONFIG_XENO_REVISION_LEVEL 0
#define CONFIG_XENO_VERSION_STRING "3.3.0"

/* The folder of the installation, which has bin/xeno-config. */
#if __has_include(<xeno_prefix.h>)
#include <xeno_prefix.h>
#else
#define CONFIG_XENO_PREFIX "/usr/local"
#endif

/* A program can have several CPUs. */
#define CONFIG_SMP 1

/* Functions that the C library has. */
#define HAVE_CLOCK_NANOSLEEP               1
#define HAVE_FORK                          1
#define HAVE_PTHREAD_ATFORK                1
#define HAVE_PTHREAD_ATTR_SETAFFINITY_NP   1
#define HAVE_PTHREAD_CONDATTR_SETCLOCK     1
#define HAVE_PTHREAD_GETATTR_NP            1
#define HAVE_PTHREAD_MUTEXATTR_SETPROTOCOL 1
#define HAVE_PTHREAD_SETAFFINITY_NP        1
#define HAVE_PTHREAD_SETNAME_NP            1
#define HAVE_PTHREAD_SPIN_LOCK             1
#define HAVE_RECENT_SETAFFINITY            1
#define HAVE_SCHED_GETCPU                  1
#define HAVE_SHM_OPEN                      1
#define HAVE_SHM_UNLINK                    1

#endif
