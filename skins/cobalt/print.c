/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The C library's printing functions, for all modes: a thread in primary mode prints as rt_printf()
 * does and stays in this mode; any other thread prints in Linux.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <syslog.h>

#include <cobalt/stdio.h>
#include <cobalt/syslog.h>
#include <tactus/tact.h>
#include <xenomai/print.h>

static int is_primary(void)
{
	return tact_mode() == TACT_MODE_PRIMARY;
}

int __wrap_vfprintf(FILE *stream, const char *format, va_list args)
{
	return is_primary() ? rt_vfprintf(stream, format, args) : vfprintf(stream, format, args);
}

int __wrap_vprintf(const char *format, va_list args)
{
	return __wrap_vfprintf(stdout, format, args);
}

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int __wrap_fprintf(FILE *stream, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = __wrap_vfprintf(stream, format, args);
	va_end(args);
	return length;
}

int __wrap_printf(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = __wrap_vfprintf(stdout, format, args);
	va_end(args);
	return length;
}

/* The names that compilers use with -D_FORTIFY_SOURCE. */
int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
int __wrap___vprintf_chk(int flag, const char *format, va_list args);
int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __wrap___printf_chk(int flag, const char *format, ...);

int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
	(void)flag;
	return __wrap_vfprintf(stream, format, args);
}

int __wrap___vprintf_chk(int flag, const char *format, va_list args)
{
	(void)flag;
	return __wrap_vfprintf(stdout, format, args);
}

int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	va_list args;
	int length;

	(void)flag;
	va_start(args, format);
	length = __wrap_vfprintf(stream, format, args);
	va_end(args);
	return length;
}

int __wrap___printf_chk(int flag, const char *format, ...)
{
	va_list args;
	int length;

	(void)flag;
	va_start(args, format);
	length = __wrap_vfprintf(stdout, format, args);
	va_end(args);
	return length;
}

int __wrap_puts(const char *s)
{
	return is_primary() ? rt_puts(s) : puts(s);
}

int __wrap_fputs(const char *s, FILE *stream)
{
	return is_primary() ? rt_fputs(s, stream) : fputs(s, stream);
}

int __wrap_fputc(int c, FILE *stream)
{
	return is_primary() ? rt_fputc(c, stream) : fputc(c, stream);
}

int __wrap_putchar(int c)
{
	return __wrap_fputc(c, stdout);
}

size_t __wrap_fwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream)
{
	return is_primary() ? rt_fwrite(ptr, size, nmemb, stream)
			    : fwrite(ptr, size, nmemb, stream);
}

/* First write out what was printed to the stream. */
int __wrap_fclose(FILE *stream)
{
	rt_print_flush_buffers();
	return fclose(stream);
}

void __wrap_vsyslog(int priority, const char *format, va_list args)
{
	if (is_primary())
		rt_vsyslog(priority, format, args);
	else
		vsyslog(priority, format, args);
}

void __wrap_syslog(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	__wrap_vsyslog(priority, format, args);
	va_end(args);
}
