/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What mailboxes, FIFOs and polls share. */
#ifndef RTAI_MBX_INTERNAL_H
#define RTAI_MBX_INTERNAL_H

#include "rtai_sem_internal.h"

#include <rtai_mbx.h>

struct rtai_mbx {
	tact_sem_t sending;   /* held by the sender of a message */
	tact_sem_t receiving; /* held by the receiver of one */
};

/* Write bytes at once, of which the last ones stay. Returns the number written, or an error of the
 * nucleus. */
int rtai_overwrite(tact_buffer_t buffer, const char *data, int size);
/* Copy what is there. Returns the number of bytes, or an error of the nucleus. */
int rtai_peek(tact_buffer_t buffer, void *data, int size);

#endif
