/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sentences of hal_start(), and a value that the options of several back ends share. */
#define _GNU_SOURCE
#include "thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASON_BYTES 256u

void thread_notice(char reason[256], const char *format, ...)
{
	size_t used = strlen(reason);
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(reason + used, REASON_BYTES - used, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= REASON_BYTES - used)
		reason[used] = 0;
}

int thread_refuse(char reason[256], int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, REASON_BYTES, format, arguments);
	va_end(arguments);
	return error;
}

bool thread_option_signal(const char *value, int *signal)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (end == value || *end || number < 1 || number > 64 || number == SIGKILL ||
	    number == SIGSTOP || number == SIGSYS || number == THREAD_SIGNAL_CANCEL ||
	    number == THREAD_SIGNAL_SETXID)
		return false;
	*signal = (int)number;
	return true;
}
