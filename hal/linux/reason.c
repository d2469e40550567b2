/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sentences of hal_start(). */
#define _GNU_SOURCE

#include "reason.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void linux_notice(char reason[HAL_REASON_BYTES], const char *format, ...)
{
	size_t used = strlen(reason);
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(reason + used, HAL_REASON_BYTES - used, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= HAL_REASON_BYTES - used)
		reason[used] = 0;
}

int linux_refuse(char reason[HAL_REASON_BYTES], int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, HAL_REASON_BYTES, format, arguments);
	va_end(arguments);
	return error;
}
