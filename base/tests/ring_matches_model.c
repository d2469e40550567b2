/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random writes and reads, of bytes and of records, deliver what was written in order, over the
 * wrap of the data and of the 32-bit offsets; room and contents agree with a model after each.
 */
#include "base/error.h"
#include "base/ring.h"
#include "check.h"

#define STEPS 60000

static _Alignas(64) unsigned char memory[sizeof(struct base_ring_header) + 256];
static uint64_t random_state;

static void fill_bytes(unsigned char *bytes, size_t count, uint64_t *stream)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (unsigned char)next_random(stream);
}

/* Writer and reader draw the same stream of bytes from two generators with one seed. */
static void bytes_in_order(uint32_t size, uint32_t offset)
{
	struct base_ring writer, reader;
	uint64_t written = 42, read = 42;
	int64_t held = 0;

	expect("create", 0, base_ring_create(&writer, memory, size));
	atomic_store(&writer.header->head, offset);
	atomic_store(&writer.header->tail, offset);
	expect("attach", 0, base_ring_attach(&reader, memory, sizeof(memory)));
	for (int step = 0; step < STEPS; step++) {
		unsigned char sent[300], got[300], wanted[300];
		size_t count = random_below(&random_state, 300);
		uint64_t peek = written;
		int64_t done;

		if (random_below(&random_state, 2)) {
			fill_bytes(sent, count, &peek);
			done = base_ring_write(&writer, sent, count);
			expect("written",
			       (int64_t)count < size - held ? (int64_t)count : size - held, done);
			fill_bytes(sent, (size_t)done, &written);
			held += done;
		} else {
			done = base_ring_read(&reader, got, count);
			expect("read", (int64_t)count < held ? (int64_t)count : held, done);
			fill_bytes(wanted, (size_t)done, &read);
			expect("same bytes", 0, memcmp(wanted, got, (size_t)done));
			held -= done;
		}
		expect("readable", held, base_ring_readable(&reader));
		expect("writable", size - held, base_ring_writable(&writer));
	}
}

static void records_stay_whole(uint32_t offset)
{
	const int64_t size = 64;
	struct base_ring ring;
	uint64_t written = 7, read = 7;
	unsigned lengths[64], first = 0, last = 0;
	int64_t held = 0;

	expect("create", 0, base_ring_create(&ring, memory, (uint32_t)size));
	atomic_store(&ring.header->head, offset);
	atomic_store(&ring.header->tail, offset);
	for (int step = 0; step < STEPS; step++) {
		unsigned char sent[80], got[80], wanted[80];
		unsigned count = random_below(&random_state, 62);

		if (random_below(&random_state, 2)) {
			int expected = count > 60                ? -TACT_EMSGSIZE
				       : held + count + 4 > size ? -TACT_EAGAIN
								 : 0;
			uint64_t before = written;

			fill_bytes(sent, count, &written);
			expect("write", expected, base_ring_write_record(&ring, sent, count));
			if (expected) {
				written = before;
				continue;
			}
			lengths[last++ % 64] = count;
			held += count + 4;
		} else if (first == last) {
			expect("no record", -TACT_EAGAIN, base_ring_read_record(&ring, got, 80));
			expect("none to peek at", -TACT_EAGAIN, base_ring_peek_record(&ring));
		} else {
			unsigned length = lengths[first++ % 64];

			if (length)
				expect("too small a buffer", -TACT_EMSGSIZE,
				       base_ring_read_record(&ring, got, length - 1));
			expect("peek", length, base_ring_peek_record(&ring));
			expect("read", length, base_ring_read_record(&ring, got, length));
			fill_bytes(wanted, length, &read);
			expect("same bytes", 0, memcmp(wanted, got, length));
			held -= length + 4;
		}
	}
}

int main(void)
{
	bytes_in_order(16, 0);
	bytes_in_order(256, UINT32_MAX - 10000);
	records_stay_whole(0);
	records_stay_whole(UINT32_MAX - 10000);
	return 0;
}
