/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two more ways to read and write a buffer (buffer.h). They are values of `how`, so there is no new
 * function.
 *
 * Designed, not implemented: decision record 23.
 */
#ifndef TACTUS_BUFFER_FLAGS_H
#define TACTUS_BUFFER_FLAGS_H

#include <tactus/buffer.h>

/* In tact_buffer_read(): copy the bytes that are there, at most as many as wanted, or the next
 * message, and leave them in the buffer. Writers that wait continue to wait. It never waits: a
 * timeout other than TACT_NOWAIT is -TACT_EINVAL, and an empty buffer is -TACT_EAGAIN. Source:
 * RTAI, rt_mbx_evdrp(), rtf_evdrp(). */
#define TACT_BUFFER_PEEK 0x2u

/* In tact_buffer_write(): if there is too little room, the oldest bytes, or the oldest messages,
 * are dropped until there is enough. It never waits: a timeout other than TACT_NOWAIT is
 * -TACT_EINVAL. Writers that wait continue to wait, because the buffer is not emptier than before.
 * From a handler to another CPU's buffer the bytes are not lost on arrival. Source: RTAI,
 * rt_mbx_ovrwr_send(), rtf_ovrwr_put(). */
#define TACT_BUFFER_OVERWRITE 0x4u

#endif
