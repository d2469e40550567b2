/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Byte ring in shared memory: one producer, one consumer, lock-free; for pipes between a real-time
 * CPU and Linux, also between processes. It carries plain bytes, or records that stay whole; both
 * sides use the same of the two.
 *
 * A side that is stopped at any instruction, or killed, leaves the other one working. The peer is
 * not trusted: whatever it writes into the memory, this side stays inside the ring and reports an
 * error.
 *
 * Context: any; at most one producer and one consumer at a time. Never blocks.
 * Cost: constant beside copying the bytes.
 * Source: L. Lamport, "Specifying concurrent program modules", ACM TOPLAS 5(2), 1983 (the ring with
 * one writer for each index).
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_RING_MAGIC         UINT32_C(0x52544354) /* "TCTR" */
#define BASE_RING_SIZE_MIN      16
#define BASE_RING_SIZE_MAX      (UINT32_C(1) << 30)
#define BASE_RING_RECORD_HEADER 4 /* bytes that a record takes beside its contents */

/* The shared part; offsets run freely modulo 2^32. Each index has a cache line of its own. */
struct base_ring_header {
	uint32_t magic;
	uint32_t size; /* of the data, a power of two */
	uint32_t reserved[14];
	_Atomic uint32_t head; /* bytes ever written; changed by the producer only */
	uint32_t head_pad[15];
	_Atomic uint32_t tail; /* bytes ever read; changed by the consumer only */
	uint32_t tail_pad[15];
};

/* One side's private view. */
struct base_ring {
	struct base_ring_header *header;
	unsigned char *data;
	uint32_t size;
};

/* Bytes of shared memory for a ring with this many bytes of data. */
static inline size_t base_ring_memory_bytes(uint32_t size)
{
	return sizeof(struct base_ring_header) + size;
}

/*
 * Makes an empty ring in memory; before the other side attaches.
 * memory: aligned to 64, shared, base_ring_memory_bytes(size); size: in bytes, a power of two from
 *   BASE_RING_SIZE_MIN to BASE_RING_SIZE_MAX.
 * Returns 0; -TACT_EINVAL: memory is not aligned, or size is not allowed.
 */
int __attribute__((warn_unused_result))
base_ring_create(struct base_ring *ring, void *memory, uint32_t size);

/*
 * Opens a ring that another process has created. bytes: what is mapped at memory.
 * Returns 0; -TACT_EINVAL: memory is not aligned; -TACT_EPROTO: no ring there, or one larger than
 * what is mapped.
 */
int __attribute__((warn_unused_result))
base_ring_attach(struct base_ring *ring, void *memory, size_t bytes);

/* Bytes that the consumer can read, or -TACT_EPROTO: the peer has damaged the ring. */
int64_t base_ring_readable(const struct base_ring *ring);

/* Bytes that the producer can write, or -TACT_EPROTO: the peer has damaged the ring. */
int64_t base_ring_writable(const struct base_ring *ring);

/*
 * Producer: writes as many bytes as there is room for. Returns their number, 0 for a full ring;
 * -TACT_EPROTO: the peer has damaged the ring.
 */
int64_t __attribute__((warn_unused_result))
base_ring_write(struct base_ring *ring, const void *bytes, size_t count);

/*
 * Consumer: reads as many bytes as there are, size at most. Returns their number, 0 for an empty
 * ring; -TACT_EPROTO: the peer has damaged the ring.
 */
int64_t __attribute__((warn_unused_result))
base_ring_read(struct base_ring *ring, void *bytes, size_t size);

/*
 * Producer: writes one record, whole or not at all; an empty record is one.
 * Returns 0; -TACT_EAGAIN: no room now; -TACT_EMSGSIZE: longer than the ring can ever hold (size -
 * BASE_RING_RECORD_HEADER); -TACT_EPROTO: the peer has damaged the ring.
 */
int __attribute__((warn_unused_result))
base_ring_write_record(struct base_ring *ring, const void *bytes, size_t count);

/*
 * Consumer: reads the oldest record.
 * Returns its length; -TACT_EAGAIN: there is none; -TACT_EMSGSIZE: it is longer than size, and
 * stays; -TACT_EPROTO: the peer has damaged the ring.
 */
int64_t __attribute__((warn_unused_result))
base_ring_read_record(struct base_ring *ring, void *bytes, size_t size);

/* Consumer: the length of the oldest record without reading it; errors as above. */
int64_t base_ring_peek_record(const struct base_ring *ring);

#endif
