/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages in the pieces in which programs pass them. */
#include "rtipc.h"

#include <string.h>

size_t rtipc_gather(void *to, const struct rtipc_message *message)
{
	size_t bytes = 0;

	for (size_t i = 0; i < message->count; i++) {
		memcpy((char *)to + bytes, message->parts[i].iov_base, message->parts[i].iov_len);
		bytes += message->parts[i].iov_len;
	}
	return bytes;
}

void rtipc_scatter(const struct rtipc_message *message, const void *from, size_t bytes)
{
	for (size_t i = 0; i < message->count && bytes; i++) {
		size_t part = message->parts[i].iov_len < bytes ? message->parts[i].iov_len : bytes;

		memcpy(message->parts[i].iov_base, from, part);
		from = (const char *)from + part;
		bytes -= part;
	}
}
