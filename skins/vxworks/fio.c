/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing to descriptors. */
#include <fioLib.h>

#include "io.h"

#include <unistd.h>

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int printErr(const char *fmt, ...)
{
	va_list args;
	int printed;

	va_start(args, fmt);
	printed = vxworks_print(STDERR_FILENO, fmt, args);
	va_end(args);
	return printed;
}

int fdprintf(int fd, const char *fmt, ...)
{
	va_list args;
	int printed;

	va_start(args, fmt);
	printed = vxworks_print(fd, fmt, args);
	va_end(args);
	return printed;
}

int vfdprintf(int fd, const char *fmt, va_list vaList)
{
	return vxworks_print(fd, fmt, vaList);
}
