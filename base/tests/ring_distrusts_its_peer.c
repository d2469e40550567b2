/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bad arguments are refused, and whatever a peer writes into the header ends in a defined error. */
#include "base/error.h"
#include "base/ring.h"
#include "check.h"

static _Alignas(64) unsigned char memory[sizeof(struct base_ring_header) + 64];

static void refuses_bad_arguments(void)
{
	struct base_ring ring;

	expect("no memory", -TACT_EINVAL, base_ring_create(&ring, NULL, 64));
	expect("misaligned", -TACT_EINVAL, base_ring_create(&ring, memory + 16, 64));
	expect("too small", -TACT_EINVAL, base_ring_create(&ring, memory, 8));
	expect("no power of two", -TACT_EINVAL, base_ring_create(&ring, memory, 48));
	expect("too large", -TACT_EINVAL, base_ring_create(&ring, memory, UINT32_C(1) << 31));
	memset(memory, 0, sizeof(memory));
	expect("nothing there", -TACT_EPROTO, base_ring_attach(&ring, memory, sizeof(memory)));
	expect("create", 0, base_ring_create(&ring, memory, 64));
	expect("misaligned", -TACT_EINVAL, base_ring_attach(&ring, memory + 16, 100));
	expect("header cut", -TACT_EPROTO, base_ring_attach(&ring, memory, 100));
	expect("data cut", -TACT_EPROTO, base_ring_attach(&ring, memory, sizeof(memory) - 1));
	ring.header->size = 65;
	expect("odd size", -TACT_EPROTO, base_ring_attach(&ring, memory, sizeof(memory)));
}

static void reports_damage(void)
{
	unsigned char bytes[64] = {0};
	struct base_ring ring;
	const uint32_t length = 61; /* with its header one byte more than there is */

	expect("create", 0, base_ring_create(&ring, memory, 64));
	ring.header->size = 1 << 20; /* has no effect on the side that has attached */
	expect("size is private", 64, base_ring_writable(&ring));
	atomic_store(&ring.header->head, 65);
	expect("readable", -TACT_EPROTO, base_ring_readable(&ring));
	expect("writable", -TACT_EPROTO, base_ring_writable(&ring));
	expect("read", -TACT_EPROTO, base_ring_read(&ring, bytes, 1));
	expect("write", -TACT_EPROTO, base_ring_write(&ring, bytes, 1));
	expect("read record", -TACT_EPROTO, base_ring_read_record(&ring, bytes, 64));
	expect("write record", -TACT_EPROTO, base_ring_write_record(&ring, bytes, 1));
	atomic_store(&ring.header->head, 3);
	expect("cut header", -TACT_EPROTO, base_ring_read_record(&ring, bytes, 64));
	memcpy(ring.data, &length, sizeof(length));
	atomic_store(&ring.header->head, 64);
	expect("record beyond the end", -TACT_EPROTO, base_ring_read_record(&ring, bytes, 64));
	expect("peek beyond the end", -TACT_EPROTO, base_ring_peek_record(&ring));
}

int main(void)
{
	refuses_bad_arguments();
	reports_damage();
	return 0;
}
