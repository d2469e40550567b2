/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing to descriptors, by the C library. */
#include <fioLib.h>

#include <intLib.h>
#include <stdio.h>
#include <unistd.h>

#include "vxworks_internal.h"

static int print(int file, const char *format, va_list args)
{
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return vdprintf(file, format, args);
}

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int printErr(const char *fmt, ...)
{
	va_list args;
	int printed;

	va_start(args, fmt);
	printed = print(STDERR_FILENO, fmt, args);
	va_end(args);
	return printed;
}

int fdprintf(int fd, const char *fmt, ...)
{
	va_list args;
	int printed;

	va_start(args, fmt);
	printed = print(fd, fmt, args);
	va_end(args);
	return printed;
}
