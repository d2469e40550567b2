/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A buffer is a stream of bytes between tasks: what is written in pieces can be read in others.
 */
#include "example.h"

static void direct(void *arg)
{
	struct tact_buffer_info info;
	tact_buffer_t buffer;
	char text[32] = "";

	(void)arg;
	expect(tact_buffer_create("stream", 16, TACT_FIFO, &buffer), "buffer");
	expect(tact_buffer_write(buffer, "to be ", 6, TACT_BUFFER_WHOLE, TACT_NOWAIT), "write");
	expect(tact_buffer_write(buffer, "or not ", 7, TACT_BUFFER_WHOLE, TACT_NOWAIT), "write");
	/* Whole or not at all, unless a part will do. */
	note(tact_buffer_write(buffer, "to be", 5, TACT_BUFFER_WHOLE, TACT_NOWAIT) == -TACT_EAGAIN
		     ? "five bytes have no room"
		     : "?");
	note(tact_buffer_write(buffer, "to be", 5, TACT_BUFFER_PARTIAL, TACT_NOWAIT) == 3
		     ? "three of them have"
		     : "?");
	expect(tact_buffer_inquire(buffer, &info), "inquire");
	note(info.used == 16 ? "the buffer is full" : "?");
	expect(tact_buffer_read(buffer, text, 16, TACT_BUFFER_WHOLE, TACT_NOWAIT), "read");
	note(text);
	expect(tact_buffer_delete(buffer), "delete");
}

int main(void)
{
	return run(1, direct);
}
