/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Printing from primary mode: a call puts the text into memory, and a Linux thread writes it out
 * soon after, in the order of the calls of all callers. Therefore a task that prints stays in
 * primary mode, and does not wait for a terminal.
 *
 * The memory is a pool of rings that all callers share. A caller has a ring only for the time of
 * its call, so that a caller that is preempted in the middle of its call stops no other one. These
 * variables of the environment are read once, at the latest when the program first prints:
 *   RT_PRINT_PERIOD                 ms between two writes of the Linux thread, 1 … 60000; default
 *                                   100
 *   RT_PRINT_BUFFER                 bytes of a ring, 1024 … 2^26; default 16384
 *   RT_PRINT_BUFFERS_COUNT          rings, 1 … 64; default 16
 *   RT_PRINT_DEFAULT_BUFFERS_COUNT  not used
 *
 * A text for which there is no room is lost. The result of the call says so, and a line on the
 * standard error output says how many texts were lost. The texts that are left at the end of the
 * program are written then. A program that is killed loses the texts of the last period.
 *
 * Context: task (not a light task), linux, handler. In a handler of the native API there is no
 * floating point: the formats are %s %c %d %i %u %x %X %p %%, with l, ll, z, width, 0, - and the
 * precision of strings.
 * Cost: O(bytes), no Linux call.
 *
 * Source: Xenomai 3, the printing services of <stdio.h> and <rtdk.h>.
 */
#ifndef XENOMAI_PRINT_H
#define XENOMAI_PRINT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As the C library's functions without rt_. Return the length of the text, or -1: there was no
 * room. */
int rt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int rt_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
int rt_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int rt_vfprintf(FILE *stream, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* As the C library's functions without rt_: rt_puts() adds a newline, rt_fputs() does not. Return
 * what those return, or EOF: there was no room. */
int rt_puts(const char *s);
int rt_fputs(const char *s, FILE *stream);
int rt_fputc(int c, FILE *stream);
int rt_putchar(int c);

/* As fwrite(). Returns nmemb, or 0: there was no room, or there is nothing to print. */
size_t rt_fwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream);

/* Print to the system log, as syslog(). */
void rt_syslog(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rt_vsyslog(int priority, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/**
 * Make sure that there is a ring for what the caller prints at once, and name the caller's
 * printing.
 * buffer_size: bytes; if no ring is as large, a ring of that size is added to the pool. 0: no ring
 *              is added.
 * name: cut to 31 bytes; NULL: the name of the caller's task.
 * Returns 0, or a positive error number: ENOMEM, EPERM (from a handler of the native API).
 * Context: task (switches to secondary mode), linux.
 */
int rt_print_init(size_t buffer_size, const char *name);

/* Write out what was printed before, and forget the name of rt_print_init(). A thread need not call
 * it. Context: task (switches to secondary mode), linux. */
void rt_print_cleanup(void);

/* Without effect, because there are always rings; for programs that call it. Context: any. */
void rt_print_auto_init(int enable);

/* Returns the name that rt_print_init() got, or the name of the caller's task, or "".
 * Context: task, linux. */
const char *rt_print_buffer_name(void);

/* Write out now what was printed before. Context: task (switches to secondary mode), linux. */
void rt_print_flush_buffers(void);

#ifdef __cplusplus
}
#endif

#endif
