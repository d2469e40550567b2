/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words of a program to its user: one line each, with the program's name before it, on the standard
 * error output.
 *
 * Context: linux; in a task they lead to secondary mode.
 * Source: Xenomai 3, <boilerplate/ancillaries.h>, as its test programs use it.
 */
#ifndef BOILERPLATE_ANCILLARIES_H
#define BOILERPLATE_ANCILLARIES_H

/* Programs of Xenomai expect it to bring these. */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <boilerplate/compiler.h>

#ifndef ONE_BILLION
#define ONE_BILLION 1000000000
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) ARRAY_LEN(a)
#endif

/* Copy a string into an array of characters, cut to its size and ended; its value is the array. */
#define namecpy(array, string)                                                          \
	({                                                                              \
		_Static_assert(__builtin_types_compatible_p(__typeof__(array), char[]), \
			       "namecpy() is for arrays of characters");                \
		strncpy((array), (string), sizeof(array) - 1);                          \
		(array)[sizeof(array) - 1] = '\0';                                      \
		(array);                                                                \
	})

#ifdef __cplusplus
extern "C" {
#endif

void warning(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));
/* ... and end the program with status 1. */
void panic(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));

/* The same, where it is no reason to worry. */
void notice(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Before main(), where no service may be called. */
#define early_warning warning
#define early_panic   panic
#define early_notice  notice

/* The symbol of an error number of either sign, as "EINVAL"; another number: its digits. The text
 * is good until the thread's next call. */
const char *symerror(int errnum);

/* Of the POSIX skin: the CPUs that Linux runs on, and those that are this program's real-time CPUs:
 * 0, or -ENOSYS (Linux does not tell; none could be had). And the caller's. */
int get_online_cpu_set(cpu_set_t *cpuset);
int get_realtime_cpu_set(cpu_set_t *cpuset);
int get_current_cpu(void);

#ifdef __cplusplus
}
#endif

#endif
