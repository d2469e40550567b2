/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints: one write each, so that the texts of several tasks do not mix. The level that Linux puts
 * before a text, as <6>, is left out. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rtai_internal.h"

#define TEXT_BYTES 1024

/* The text behind its level. */
static const char *without_level(const char *text)
{
	return text[0] == '<' && text[1] && text[2] == '>' ? text + 3 : text;
}

int rtai_vprint(const char *format, va_list args)
{
	char text[TEXT_BYTES];
	const char *shown;
	int length;

	if (!format || runtime_in_handler())
		return -EINVAL;
	length = vsnprintf(text, sizeof(text), format, args);
	shown = without_level(text);
	if (length > 0)
		(void)!write(STDERR_FILENO, shown, strlen(shown));
	return length;
}

int rt_printk(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = rtai_vprint(format, args);
	va_end(args);
	return length;
}

int rtai_print_to_screen(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = rtai_vprint(format, args);
	va_end(args);
	return length;
}
