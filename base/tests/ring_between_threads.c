/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records cross between two threads whole, in order and without loss; meant for TSan as well. */
#include <pthread.h>
#include <sched.h>

#include "base/error.h"
#include "base/ring.h"
#include "check.h"

#define RECORDS 100000

static _Alignas(64) unsigned char memory[sizeof(struct base_ring_header) + 128];

static void *produce(void *argument)
{
	struct base_ring *ring = argument;

	for (uint32_t number = 0; number < RECORDS; number++) {
		uint32_t record[8];
		size_t bytes = (number % 8 + 1) * sizeof(record[0]);
		int error;

		for (unsigned i = 0; i < 8; i++)
			record[i] = number;
		while ((error = base_ring_write_record(ring, record, bytes)) == -TACT_EAGAIN)
			sched_yield();
		expect("write", 0, error);
	}
	return NULL;
}

int main(void)
{
	struct base_ring writer, reader;
	pthread_t producer;

	expect("create", 0, base_ring_create(&writer, memory, 128));
	expect("attach", 0, base_ring_attach(&reader, memory, sizeof(memory)));
	expect("thread", 0, pthread_create(&producer, NULL, produce, &writer));
	for (uint32_t number = 0; number < RECORDS; number++) {
		uint32_t record[8];
		int64_t length;

		while ((length = base_ring_read_record(&reader, record, sizeof(record))) ==
		       -TACT_EAGAIN)
			sched_yield();
		expect("length", (number % 8 + 1) * 4, length);
		for (int64_t i = 0; i < length / 4; i++)
			expect("contents", number, record[i]);
	}
	expect("join", 0, pthread_join(producer, NULL));
	expect("nothing left", 0, base_ring_readable(&reader));
	return 0;
}
