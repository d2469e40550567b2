/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that are handed to tasks, and notes of messages in Linux, so that no message overtakes
 * another one of the same sender. */
#ifndef POSIX_QUEUE_HANDOFF_H
#define POSIX_QUEUE_HANDOFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posix/fd/queue.h"
#include "posix/park/wait.h"

struct posix_message {
	struct posix_handoff handoff; /* first: the record is found by it */
	char *text;
	size_t bytes;
	unsigned priority;
	bool copied; /* false: the receiver's buffer cannot be written */
};

/* Give a message to a task that waits. False: no task waits, or Linux may have earlier messages. */
bool posix_queue_give(struct posix_queue *queue, const struct posix_message *message);

/* Linux may have messages. A later look finds them there, and no message is given before that. */
void posix_queue_note(struct posix_queue *queue);
/* Linux had no messages when this note, which the caller read before, was in force. */
void posix_queue_emptied(struct posix_queue *queue, uint64_t noted);

#endif
