/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages handed over, and notes of messages in Linux: see queue_handoff.h. Lock-free. */
#define _GNU_SOURCE
#include "posix/fd/queue_handoff.h"

#include "posix/calls/safe_copy.h"

#define MAYBE 1u
#define NOTE  2u /* the bits above bit 0 count how often it was noted */

static void copy(struct posix_handoff *handoff, const void *from)
{
	const struct posix_message *sent = from;
	struct posix_message *place = (struct posix_message *)handoff;

	place->bytes = sent->bytes;
	place->priority = sent->priority;
	/* The text can be read: its sender has checked that. */
	place->copied = posix_safe_copy(place->text, sent->text, sent->bytes);
}

/* There is only one kind of handoff, bit 0. */
bool posix_queue_give(struct posix_queue *queue, const struct posix_message *message)
{
	const struct posix_kernel_pending kernel_pending = {.for_any = &queue->maybe};

	return posix_wait_give(queue, POSIX_WAITERS, MAYBE, &kernel_pending, copy, message);
}

void posix_queue_note(struct posix_queue *queue)
{
	uint64_t noted = atomic_load(&queue->maybe);

	while (!atomic_compare_exchange_weak(&queue->maybe, &noted, (noted + NOTE) | MAYBE))
		;
	(void)posix_wait_wake(queue, 1);
}

/* If it was noted again meanwhile, the note remains. */
void posix_queue_emptied(struct posix_queue *queue, uint64_t noted)
{
	(void)atomic_compare_exchange_strong(&queue->maybe, &noted, noted & ~(uint64_t)MAYBE);
}
