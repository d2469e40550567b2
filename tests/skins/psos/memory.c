/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions and regions: what is taken and given back, wrong addresses, waiters, deletion. */
#include "psos_test.h"

static _Alignas(16) char memory[65536];

static bool is_inside(const void *address)
{
	return (const char *)address >= memory && (const char *)address < memory + sizeof(memory);
}

TEST(a_partition_gives_all_its_buffers)
{
	unsigned long partition;
	unsigned long found;
	unsigned long number = 0;
	void *buffer[64];
	void *more;

	(void)WORKS(pt_create,
		    pt_create("PART", memory, NULL, 4096, 128, PT_GLOBAL, &partition, &number));
	/* Control data take less than one buffer in 16. */
	expect_true(number >= 30 && number <= 32);
	for (unsigned long i = 0; i < number; i++) {
		(void)WORKS(pt_getbuf, pt_getbuf(partition, &buffer[i]));
		expect_true(is_inside(buffer[i]) && (uintptr_t)buffer[i] % 16 == 0);
		memset(buffer[i], (int)i, 128);
	}
	FAILS(pt_getbuf, ERR_NOBUF, pt_getbuf(partition, &more));
	FAILS(pt_sgetbuf, ERR_NOBUF, pt_sgetbuf(partition, &more, &more));
	for (unsigned long i = 0; i < number; i++)
		expect_eq(*((char *)buffer[i] + 127), (char)i);
	FAILS(pt_delete, ERR_BUFINUSE, pt_delete(partition));
	FAILS(pt_retbuf, ERR_BUFADDR, pt_retbuf(partition, (char *)buffer[0] + 16));
	FAILS(pt_retbuf, ERR_BUFADDR, pt_retbuf(partition, (char *)buffer[0] + 1));
	FAILS(pt_retbuf, ERR_BUFADDR, pt_retbuf(partition, &partition));
	FAILS(pt_retbuf, ERR_BUFADDR, pt_retbuf(partition, NULL));
	for (unsigned long i = 0; i < number; i++)
		(void)WORKS(pt_retbuf, pt_retbuf(partition, buffer[i]));
	FAILS(pt_retbuf, ERR_BUFFREE, pt_retbuf(partition, buffer[0]));
	(void)WORKS(pt_sgetbuf, pt_sgetbuf(partition, &buffer[0], &buffer[1]));
	expect_true(buffer[0] == buffer[1]);
	(void)WORKS(pt_retbuf, pt_retbuf(partition, buffer[0]));
	(void)WORKS(pt_ident, pt_ident("PART", 0, &found));
	expect_eq(found, partition);
	FAILS(pt_ident, ERR_NODENO, pt_ident("PART", 1, &found));
	FAILS(pt_ident, ERR_OBJNF, pt_ident("NONE", 0, &found));
	(void)WORKS(pt_delete, pt_delete(partition));
}

TEST(a_partition_may_be_deleted_in_use)
{
	unsigned long partition;
	void *buffer;

	(void)WORKS(pt_create,
		    pt_create("PART", memory, memory, 1024, 4, PT_DEL, &partition, NULL));
	(void)WORKS(pt_getbuf, pt_getbuf(partition, &buffer));
	(void)WORKS(pt_delete, pt_delete(partition));
	FAILS(pt_retbuf, ERR_OBJDEL, pt_retbuf(partition, buffer));
}

TEST(partitions_are_checked)
{
	unsigned long id;

	FAILS(pt_create, ERR_PTADDR, pt_create("P", NULL, NULL, 4096, 64, 0, &id, NULL));
	FAILS(pt_create, ERR_PTADDR, pt_create("P", memory + 4, NULL, 4096, 64, 0, &id, NULL));
	FAILS(pt_create, ERR_BUFSIZE, pt_create("P", memory, NULL, 4096, 2, 0, &id, NULL));
	FAILS(pt_create, ERR_BUFSIZE, pt_create("P", memory, NULL, 4096, 96, 0, &id, NULL));
	FAILS(pt_create, ERR_BUFSIZE, pt_create("P", memory, NULL, 4096, 0, 0, &id, NULL));
	FAILS(pt_create, ERR_TINYPT, pt_create("P", memory, NULL, 64, 64, 0, &id, NULL));
	FAILS(pt_create, ERR_TINYPT, pt_create("P", memory, NULL, 0, 64, 0, &id, NULL));
	FAILS(pt_create, ERR_TINYPT, pt_create("P", memory, NULL, ~0ul, 64, 0, &id, NULL));
	FAILS(pt_create, ERR_SSFN, pt_create("P", memory, NULL, 4096, 64, 0x20, &id, NULL));
	(void)WORKS(pt_create, pt_create("P", memory, NULL, 4096, 64, 0, &id, NULL));
	FAILS(pt_getbuf, ERR_SSFN, pt_getbuf(id, NULL));
	FAILS(pt_sgetbuf, ERR_SSFN, pt_sgetbuf(id, NULL, NULL));
}

TEST(a_region_rounds_to_its_unit)
{
	unsigned long region;
	unsigned long found;
	unsigned long size = 0;
	void *first;
	void *second;

	(void)WORKS(rn_create,
		    rn_create("REGI", memory, sizeof(memory), 256, RN_PRIOR, &region, &size));
	expect_true(size > sizeof(memory) * 9 / 10 && size % 256 == 0);
	(void)WORKS(rn_getseg, rn_getseg(region, size, RN_NOWAIT, 0, &first));
	expect_true(is_inside(first));
	memset(first, 0x5a, size);
	FAILS(rn_getseg, ERR_NOSEG, rn_getseg(region, 256, RN_NOWAIT, 0, &second));
	FAILS(rn_delete, ERR_SEGINUSE, rn_delete(region));
	(void)WORKS(rn_retseg, rn_retseg(region, first));
	FAILS(rn_retseg, ERR_SEGFREE, rn_retseg(region, first));
	(void)WORKS(rn_getseg, rn_getseg(region, 1, RN_WAIT, 0, &first));
	(void)WORKS(rn_getseg, rn_getseg(region, 257, RN_WAIT, 0, &second));
	memset(first, 1, 256);
	memset(second, 2, 512);
	expect_eq(*((char *)first + 255), 1);
	FAILS(rn_retseg, ERR_SEGADDR, rn_retseg(region, (char *)second + 48));
	FAILS(rn_retseg, ERR_SEGADDR, rn_retseg(region, (char *)second + 3));
	FAILS(rn_retseg, ERR_NOTINRN, rn_retseg(region, &region));
	FAILS(rn_retseg, ERR_NOTINRN, rn_retseg(region, NULL));
	FAILS(rn_getseg, ERR_ZERO, rn_getseg(region, 0, RN_NOWAIT, 0, &first));
	FAILS(rn_getseg, ERR_TOOBIG, rn_getseg(region, sizeof(memory), RN_NOWAIT, 0, &second));
	FAILS(rn_getseg, ERR_TOOBIG, rn_getseg(region, ~0ul, RN_NOWAIT, 0, &second));
	FAILS(rn_getseg, ERR_SSFN, rn_getseg(region, 16, RN_NOWAIT, 0, NULL));
	FAILS(rn_getseg, ERR_SSFN, rn_getseg(region, 16, 0x40, 0, &second));
	(void)WORKS(rn_retseg, rn_retseg(region, first));
	(void)WORKS(rn_retseg, rn_retseg(region, second));
	(void)WORKS(rn_ident, rn_ident("REGI", &found));
	expect_eq(found, region);
	FAILS(rn_ident, ERR_OBJNF, rn_ident("NONE", &found));
	(void)WORKS(rn_delete, rn_delete(region));
}

TEST(regions_are_checked)
{
	unsigned long id;

	FAILS(rn_create, ERR_RNADDR, rn_create("R", NULL, 8192, 16, 0, &id, NULL));
	FAILS(rn_create, ERR_RNADDR, rn_create("R", memory + 2, 8192, 16, 0, &id, NULL));
	FAILS(rn_create, ERR_UNITSIZE, rn_create("R", memory, 8192, 8, 0, &id, NULL));
	FAILS(rn_create, ERR_UNITSIZE, rn_create("R", memory, 8192, 48, 0, &id, NULL));
	FAILS(rn_create, ERR_TINYUNIT, rn_create("R", memory, 16 * 32768, 16, 0, &id, NULL));
	FAILS(rn_create, ERR_TINYRN, rn_create("R", memory, 4096, 16, 0, &id, NULL));
	FAILS(rn_create, ERR_TINYRN, rn_create("R", memory, 0, 16, 0, &id, NULL));
	FAILS(rn_create, ERR_SSFN, rn_create("R", memory, 8192, 16, 0x40, &id, NULL));
}

static unsigned long region;

static void take(unsigned long name, unsigned long bytes, unsigned long c, unsigned long d)
{
	void *segment;
	unsigned long code = rn_getseg(region, bytes ? bytes : 40000, RN_WAIT, 0, &segment);

	(void)c, (void)d;
	mark(code == ERR_RNKILLD ? "killed" : code ? "other" : (const char *)name);
	if (!code)
		expect_ok(rn_retseg(region, segment));
}

static void three_takers(void)
{
	(void)start("LOW", 10, take, (unsigned long)"LOW");
	until_waits("LOW");
	(void)start("HIGH", 30, take, (unsigned long)"HIGH");
	until_waits("HIGH");
	(void)start("MID", 20, take, (unsigned long)"MID");
	until_waits("MID");
}

static void serve(unsigned long flags, const char *expected)
{
	void *segment;

	expect_ok(rn_create("REGI", memory, sizeof(memory), 64, flags, &region, NULL));
	expect_ok(rn_getseg(region, 40000, RN_NOWAIT, 0, &segment));
	three_takers();
	(void)WORKS(rn_retseg, rn_retseg(region, segment));
	expect_ok(tm_wkafter(2));
	expect_marks(expected);
	(void)WORKS(rn_delete, rn_delete(region));
}

TEST(a_region_serves_in_order_of_arrival)
{
	serve(RN_FIFO, "LOW HIGH MID");
}

TEST(a_region_serves_by_priority)
{
	serve(RN_PRIOR, "HIGH MID LOW");
}

static void is_killed(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	void *segment;

	(void)a, (void)b, (void)c, (void)d;
	FAILS(rn_getseg, ERR_TIMEOUT, rn_getseg(region, 40000, RN_WAIT, 3, &segment));
	mark("late");
	FAILS(rn_getseg, ERR_RNKILLD, rn_getseg(region, 40000, RN_WAIT, 0, &segment));
	mark("killed");
}

TEST(deletion_of_a_region_tells_waiters_and_deleter)
{
	void *segment;

	expect_ok(rn_create("REGI", memory, sizeof(memory), 64, RN_DEL, &region, NULL));
	expect_ok(rn_getseg(region, 40000, RN_NOWAIT, 0, &segment));
	(void)start("KILL", 10, is_killed, 0);
	expect_ok(tm_wkafter(10));
	until_waits("KILL");
	FAILS(rn_delete, ERR_TATRNDEL, rn_delete(region));
	expect_ok(tm_wkafter(1));
	expect_marks("late killed");
	FAILS(rn_retseg, ERR_OBJDEL, rn_retseg(region, segment));
}

TEST(region_0_is_always_there)
{
	void *segment;
	unsigned long found;

	/* The first call that creates anything starts pSOS+. */
	(void)a_semaphore(0);
	(void)WORKS(rn_getseg, rn_getseg(0, 1000, RN_NOWAIT, 0, &segment));
	memset(segment, 1, 1000);
	FAILS(rn_delete, ERR_SEGINUSE, rn_delete(0));
	(void)WORKS(rn_retseg, rn_retseg(0, segment));
	FAILS(rn_delete, ERR_SEGINUSE, rn_delete(0));
	(void)WORKS(rn_ident, rn_ident("RN#0", &found));
	FAILS(rn_delete, ERR_SEGINUSE, rn_delete(found));
	FAILS(rn_getseg, ERR_TOOBIG, rn_getseg(0, 2u << 20, RN_NOWAIT, 0, &segment));
}

static unsigned long partition;

static void in_handler(void *unused)
{
	void *piece;
	unsigned long id;

	(void)unused;
	FAILS(pt_create, ERR_SSFN, pt_create("P", memory, NULL, 4096, 64, 0, &id, NULL));
	FAILS(pt_delete, ERR_SSFN, pt_delete(partition));
	FAILS(rn_create, ERR_SSFN, rn_create("R", memory, 8192, 16, 0, &id, NULL));
	FAILS(rn_delete, ERR_SSFN, rn_delete(region));
	(void)WORKS(pt_getbuf, pt_getbuf(partition, &piece));
	(void)WORKS(pt_retbuf, pt_retbuf(partition, piece));
	(void)WORKS(rn_getseg, rn_getseg(region, 64, RN_NOWAIT, 0, &piece));
	(void)WORKS(rn_retseg, rn_retseg(region, piece));
	FAILS(rn_getseg, ERR_SSFN, rn_getseg(region, 40000, RN_WAIT, 0, &piece));
	mark("handler");
}

TEST(handlers_take_and_give_back)
{
	void *segment;

	expect_ok(pt_create("PART", memory, NULL, 4096, 64, 0, &partition, NULL));
	expect_ok(rn_create("REGI", memory + 4096, sizeof(memory) - 4096, 64, 0, &region, NULL));
	expect_ok(rn_getseg(region, 40000, RN_NOWAIT, 0, &segment));
	test_in_handler(in_handler, NULL);
	expect_marks("handler");
}
