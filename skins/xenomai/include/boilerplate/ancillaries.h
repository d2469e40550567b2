/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of a program to its user. Each is one line on the standard error output, which begins
 * with the name of the program.
 *
 * Context: linux; a task switches to secondary mode.
 * Source: Xenomai 3, <boilerplate/ancillaries.h>, as its test programs use it.
 */
#ifndef BOILERPLATE_ANCILLARIES_H
#define BOILERPLATE_ANCILLARIES_H

/* Programs of Xenomai expect these headers from this one. */
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

/* Copy a string into an array of characters. The copy is cut to the size of the array, and ends
 * with 0. The value is the array. */
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
/* As warning(), and end the program with status 1. */
void panic(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));

/* As warning(), for a message that is not a warning. */
void notice(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));

/* For the time before main(), when no service may be called. */
#define early_warning warning
#define early_panic   panic
#define early_notice  notice

/* Returns the name of an error number, as "EINVAL", or the digits of another number. errnum: of
 * either sign. The text is valid until the same thread calls symerror() again. */
const char *symerror(int errnum);

/* In the POSIX skin only. Set cpuset to the CPUs that are online in Linux, and to those that are
 * the real-time CPUs of this program. Return 0, or -ENOSYS (Linux does not tell; there are no
 * real-time CPUs). get_current_cpu() returns the number of the caller's CPU, or a negative error
 * number. */
int get_online_cpu_set(cpu_set_t *cpuset);
int get_realtime_cpu_set(cpu_set_t *cpuset);
int get_current_cpu(void);

#ifdef __cplusplus
}
#endif

#endif
