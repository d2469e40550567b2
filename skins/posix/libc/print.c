/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the summary and the trace: see print.h. */
#define _GNU_SOURCE
#include "posix/libc/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "posix/libc/real.h"

#define MOST 1024u

int posix_print_end(struct posix_print *to)
{
	size_t done = 0;

	while (done < to->bytes && !to->error) {
		const ssize_t result = posix_real.write(to->fd, to->text + done, to->bytes - done);

		if (result > 0)
			done += (size_t)result;
		else if (errno != EINTR)
			to->error = errno;
	}
	to->bytes = 0;
	return to->error;
}

void posix_print(struct posix_print *to, const char *format, ...)
{
	va_list arguments;
	int bytes;

	if (sizeof(to->text) - to->bytes < MOST)
		(void)posix_print_end(to);
	va_start(arguments, format);
	bytes = vsnprintf(to->text + to->bytes, MOST, format, arguments);
	va_end(arguments);
	if (bytes > 0)
		to->bytes += (size_t)bytes < MOST ? (size_t)bytes : MOST - 1;
}
