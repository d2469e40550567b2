/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of a program to its user. */
#define _GNU_SOURCE /* strerrorname_np() */
#include <boilerplate/ancillaries.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <boilerplate/setup.h>

/* Written in one piece, because several threads may print. */
static void say(const char *format, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, args);
	fprintf(stderr, "%s: %s\n", get_program_name(), text);
}

void warning(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void notice(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void panic(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	exit(1);
}

const char *symerror(int errnum)
{
	static __thread char digits[16];
	const char *name = strerrorname_np(errnum < 0 ? -errnum : errnum);

	if (name)
		return name;
	snprintf(digits, sizeof(digits), "%d", errnum);
	return digits;
}
