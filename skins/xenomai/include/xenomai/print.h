/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Printing from primary mode: the text is put into memory, and a thread of Linux writes it out
 * soon after, in the order of the calls of all callers. So a task that prints stays in primary
 * mode, and does not wait for a terminal.
 *
 * The memory is a pool of rings that all callers share; a caller takes one for the time of the
 * call, so that one that was preempted in the middle holds nobody up. Read from the environment at
 * the start:
 *   RT_PRINT_PERIOD         ms between two looks of the thread that writes, 1 … 60000; default 100
 *   RT_PRINT_BUFFER         bytes of a ring, 1024 … 2^26; default 16384
 *   RT_PRINT_BUFFERS_COUNT  rings, 1 … 64; default 16
 *   RT_PRINT_DEFAULT_BUFFERS_COUNT  means nothing here
 * What finds no room is lost, is told to the caller by the result, and is counted in a line on the
 * standard error output. What is left at the end of the program is written then; a program that is
 * killed loses what it printed in the last period.
 *
 * Context: task, linux, and handler; in an alarm's handler %s %c %d %i %u %x %X %p %% with l, ll,
 * z, width, 0, - and precision of strings are formatted, which excludes floating point. Not in
 * light tasks. Cost: O(bytes), no Linux call.
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

/* As C's functions of these names. Return the length of the text, or -1: there was no room. */
int rt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int rt_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
int rt_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int rt_vfprintf(FILE *stream, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* As C's functions of these names: rt_puts() adds a newline, rt_fputs() does not. Return what those
 * return, or EOF: there was no room. */
int rt_puts(const char *s);
int rt_fputs(const char *s, FILE *stream);
int rt_fputc(int c, FILE *stream);
int rt_putchar(int c);

/* Returns nmemb, or 0: there was no room. */
size_t rt_fwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream);

/* To the system's log, as syslog(). */
void rt_syslog(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rt_vsyslog(int priority, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/**
 * Make sure that what this caller prints at once finds room, and give its printing a name.
 * buffer_size: bytes; a ring of that size joins the pool if none is as large. 0: as it is.
 * name: cut to 31 bytes; NULL: the caller's task's.
 * Returns 0, or ENOMEM, as pthread functions do. Context: task (goes to secondary mode), linux.
 */
int rt_print_init(size_t buffer_size, const char *name);

/* Nothing needs to be given back by a thread: writes out what was printed. Context: task (goes to
 * secondary mode), linux. */
void rt_print_cleanup(void);

/* Rings are there without that; for programs that call it. Context: any. */
void rt_print_auto_init(int enable);

/* The name given to rt_print_init(), or the task's, or "". Context: task, linux. */
const char *rt_print_buffer_name(void);

/* Write out now what was printed before. Context: task (goes to secondary mode), linux. */
void rt_print_flush_buffers(void);

#ifdef __cplusplus
}
#endif

#endif
