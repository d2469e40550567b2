/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int complain(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return -1;
}
