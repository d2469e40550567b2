/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints: one write each, so that the texts of several tasks do not mix. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "rtai_internal.h"

#define TEXT_BYTES 256

static int print(const char *format, va_list args)
{
	char text[TEXT_BYTES];
	int length;

	if (!format || runtime_in_handler())
		return -EINVAL;
	length = vsnprintf(text, sizeof(text), format, args);
	if (length > 0)
		(void)!write(STDERR_FILENO, text,
			     length < TEXT_BYTES ? (size_t)length : TEXT_BYTES - 1);
	return length;
}

int rt_printk(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = print(format, args);
	va_end(args);
	return length;
}

int rtai_print_to_screen(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = print(format, args);
	va_end(args);
	return length;
}
