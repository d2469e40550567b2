/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that are handed to tasks, and what is noted of those in Linux, so that none overtakes
 * another one of its sender's. */
#ifndef POSIX_QUEUE_HANDOFF_H
#define POSIX_QUEUE_HANDOFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posix/fd/queue.h"
#include "posix/park/wait.h"

struct posix_message {
	struct posix_handoff handoff; /* first: it is found by that */
	char *text;
	size_t bytes;
	unsigned priority;
	bool copied; /* or its receiver has no room for it where it said */
};

/* To a task that waits. False: none does, or Linux may have earlier ones. */
bool posix_queue_give(struct posix_queue *queue, const struct posix_message *message);

/* Linux may have messages: who looks from now on finds them there, and nothing is given before
 * somebody has looked. */
void posix_queue_note(struct posix_queue *queue);
/* Linux had none at a time when this, which the caller read before, had been noted. */
void posix_queue_emptied(struct posix_queue *queue, uint64_t noted);

#endif
