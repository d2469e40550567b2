/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions and heaps, and what happens when nothing is left. */
#include "vrtx_check.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK 48

static char memory[4096], more[4096];
static unsigned long info[3];

TASK_TEST(partition_gives_blocks_and_takes_them_back)
{
	char *first, *block = NULL, *last = NULL;
	unsigned long blocks;

	expect_eq(WORKS(sc_pcreate, sc_pcreate(0, memory + 1, 1000, BLOCK, &err)), 0);
	FAILS(sc_pcreate, ER_PID, sc_pcreate(0, more, 1000, BLOCK, &err));
	WORKS(sc_pinquiry, DO(sc_pinquiry(info, 0, &err)));
	blocks = info[1];
	expect_eq(info[0], 0);
	expect_eq(info[2], BLOCK);
	expect_true(blocks > 10 && blocks <= 1000 / BLOCK);
	first = WORKS(sc_gblock, sc_gblock(0, &err));
	expect_true(first >= memory && first + BLOCK <= memory + 1001);
	for (unsigned long i = 1; i < blocks; i++) {
		last = block;
		block = WORKS(sc_gblock, sc_gblock(0, &err));
		expect_true(block != first && block != last);
		memset(block, 0xff, BLOCK);
	}
	FAILS(sc_gblock, ER_MEM, sc_gblock(0, &err));
	FAILS(sc_rblock, ER_NMB, DO(sc_rblock(0, more, &err)));
	FAILS(sc_rblock, ER_NMB, DO(sc_rblock(0, NULL, &err)));
	FAILS(sc_rblock, ER_NMB, DO(sc_rblock(0, block + 16, &err)));
	WORKS(sc_rblock, DO(sc_rblock(0, block, &err)));
	FAILS(sc_rblock, ER_NMB, DO(sc_rblock(0, block, &err)));
	WORKS(sc_pextend, DO(sc_pextend(0, more, sizeof(more), &err)));
	sc_pinquiry(info, 0, &err);
	expect_eq(info[0], blocks - 1);
	expect_true(info[1] > 60);
	expect_true(WORKS(sc_gblock, sc_gblock(0, &err)) == block);
	last = WORKS(sc_gblock, sc_gblock(0, &err));
	expect_true(last >= more && last + BLOCK <= more + sizeof(more));
	WORKS(sc_rblock, DO(sc_rblock(0, last, &err)));
	sc_pinquiry(NULL, 0, &err);
	FAILS(sc_pdelete, ER_IIP, DO(sc_pdelete(0, 2, &err)));
	WORKS(sc_pdelete, DO(sc_pdelete(0, 0, &err)));
	FAILS(sc_pdelete, ER_PID, DO(sc_pdelete(0, 0, &err)));
	expect_eq(WORKS(sc_pcreate, sc_pcreate(-1, memory, 1000, BLOCK, &err)), 255);
}

TASK_TEST(partitions_refuse)
{
	FAILS(sc_pcreate, ER_IIP, sc_pcreate(256, memory, 1000, BLOCK, &err));
	FAILS(sc_pcreate, ER_IIP, sc_pcreate(1, NULL, 1000, BLOCK, &err));
	FAILS(sc_pcreate, ER_IIP, sc_pcreate(1, memory, 10, BLOCK, &err));
	FAILS(sc_pcreate, ER_IIP, sc_pcreate(1, memory, 1000, 0, &err));
	/* More blocks than a pool can have are told before the memory is touched. */
	FAILS(sc_pcreate, ER_IIP, sc_pcreate(1, memory, 1l << 40, BLOCK, &err));
	FAILS(sc_pextend, ER_PID, DO(sc_pextend(1, more, 100, &err)));
	FAILS(sc_pinquiry, ER_PID, DO(sc_pinquiry(info, 1, &err)));
	FAILS(sc_gblock, ER_PID, sc_gblock(1, &err));
	FAILS(sc_rblock, ER_PID, DO(sc_rblock(-1, memory, &err)));
	(void)WORKS(sc_pcreate, sc_pcreate(1, memory, 1000, BLOCK, &err));
	FAILS(sc_pextend, ER_IIP, DO(sc_pextend(1, NULL, 1000, &err)));
	FAILS(sc_pextend, ER_IIP, DO(sc_pextend(1, more, 20, &err)));
	for (int i = 0; i < 15; i++)
		WORKS(sc_pextend, DO(sc_pextend(1, more + i * 256, 256, &err)));
	FAILS(sc_pextend, ER_IIP, DO(sc_pextend(1, more, 256, &err)));
}

static char heap_memory[16384];

TASK_TEST(heap_allocates_and_frees)
{
	int heap = WORKS(sc_hcreate, sc_hcreate(heap_memory, sizeof(heap_memory), 7, &err));
	int told[3];
	char *block = WORKS(sc_halloc, sc_halloc(heap, 1000, &err));

	expect_true(block >= heap_memory && block < heap_memory + sizeof(heap_memory));
	FAILS(sc_halloc, ER_MEM, sc_halloc(heap, 100000, &err));
	FAILS(sc_halloc, ER_MEM, sc_halloc(heap, 0, &err));
	FAILS(sc_hdelete, ER_PND, DO(sc_hdelete(heap, 0, &err)));
	FAILS(sc_hfree, ER_NMB, DO(sc_hfree(heap, block + 1, &err)));
	FAILS(sc_hfree, ER_NMB, DO(sc_hfree(heap, NULL, &err)));
	WORKS(sc_hfree, DO(sc_hfree(heap, block, &err)));
	FAILS(sc_hfree, ER_NMB, DO(sc_hfree(heap, block, &err)));
	(void)WORKS(sc_halloc, sc_halloc(heap, 10, &err));
	WORKS(sc_hinquiry, DO(sc_hinquiry(told, heap, &err)));
	expect_eq(told[0], 1);
	expect_eq(told[1], 1);
	expect_eq(told[2], 7);
	sc_hinquiry(NULL, heap, &err);
	FAILS(sc_hdelete, ER_IIP, DO(sc_hdelete(heap, 2, &err)));
	WORKS(sc_hdelete, DO(sc_hdelete(heap, 1, &err)));
	FAILS(sc_hdelete, ER_ID, DO(sc_hdelete(heap, 1, &err)));
	FAILS(sc_halloc, ER_ID, sc_halloc(heap, 1, &err));
	FAILS(sc_hfree, ER_ID, DO(sc_hfree(heap, block, &err)));
	FAILS(sc_hinquiry, ER_ID, DO(sc_hinquiry(told, heap, &err)));
	FAILS(sc_hcreate, ER_IIP, sc_hcreate(heap_memory, 100, 0, &err));
	FAILS(sc_hcreate, ER_IIP, sc_hcreate(heap_memory, 8192, 31, &err));
	heap = WORKS(sc_hcreate, sc_hcreate(NULL, 8192, 0, &err));
	expect_true(WORKS(sc_halloc, sc_halloc(heap, 4000, &err)) != NULL);
	sc_hinquiry(told, heap, &err);
	expect_eq(told[2], 9);
}

TEST(heap_0_is_there)
{
	char *block = WORKS(sc_halloc, sc_halloc(0, 30000, &err));

	memset(block, 1, 30000);
	WORKS(sc_hfree, DO(sc_hfree(0, block, &err)));
	WORKS(sc_hdelete, DO(sc_hdelete(0, 0, &err)));
	expect_true(WORKS(sc_halloc, sc_halloc(0, 100, &err)) != NULL);
}

static int heap;

static void in_handler(void *unused)
{
	char *block;

	(void)unused;
	FAILS(sc_pcreate, VRTX_NOT_HERE, sc_pcreate(2, more, 1000, BLOCK, &err));
	FAILS(sc_pdelete, VRTX_NOT_HERE, DO(sc_pdelete(1, 0, &err)));
	FAILS(sc_pextend, VRTX_NOT_HERE, DO(sc_pextend(1, more, 1000, &err)));
	block = WORKS(sc_gblock, sc_gblock(1, &err));
	WORKS(sc_rblock, DO(sc_rblock(1, block, &err)));
	WORKS(sc_pinquiry, DO(sc_pinquiry(info, 1, &err)));
	FAILS(sc_hcreate, VRTX_NOT_HERE, sc_hcreate(NULL, 8192, 0, &err));
	FAILS(sc_hdelete, VRTX_NOT_HERE, DO(sc_hdelete(heap, 0, &err)));
	FAILS(sc_halloc, ER_ID, sc_halloc(0, 1, &err));
	block = WORKS(sc_halloc, sc_halloc(heap, 64, &err));
	WORKS(sc_hfree, DO(sc_hfree(heap, block, &err)));
}

TEST(handler_takes_memory_and_creates_none)
{
	(void)sc_pcreate(1, memory, 1000, BLOCK, &err);
	heap = sc_hcreate(heap_memory, sizeof(heap_memory), 0, &err);
	test_in_handler(in_handler, NULL);
}

static void rest(void *unused)
{
	(void)unused;
	sc_tsuspend(0, 0, NULL);
}

TEST(task_needs_memory)
{
	struct rlimit limit;
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	expect_true(file && fscanf(file, "%lu", &pages) == 1);
	fclose(file);
	(void)WORKS(sc_tcreate, sc_tcreate(rest, 0, 20, &err));
	expect_ok(getrlimit(RLIMIT_AS, &limit));
	limit.rlim_cur = pages * (unsigned long)getpagesize() + (64ul << 20);
	expect_ok(setrlimit(RLIMIT_AS, &limit));
	do
		(void)sc_tcreate(rest, 0, 20, &err);
	while (err == RET_OK);
	FAILS(sc_tcreate, ER_MEM, sc_tcreate(rest, 0, 20, &err));
}

TEST(nothing_is_created_without_a_record)
{
	do
		(void)sc_fcreate(&err);
	while (err == RET_OK);
	FAILS(sc_fcreate, ER_NOCB, sc_fcreate(&err));
	FAILS(sc_screate, ER_NOCB, sc_screate(1, 0, &err));
	FAILS(sc_mcreate, ER_NOCB, sc_mcreate(0, &err));
	FAILS(sc_hcreate, ER_NOCB, sc_hcreate(heap_memory, 8192, 0, &err));
	FAILS(sc_pcreate, ER_NOCB, sc_pcreate(1, memory, 1000, BLOCK, &err));
	FAILS(sc_qcreate, ER_MEM, sc_qcreate(1, 1, &err));
	FAILS(sc_qecreate, ER_MEM, sc_qecreate(1, 1, 0, &err));
	FAILS(sc_tcreate, ER_TCB, sc_tcreate(rest, 1, 1, &err));
	FAILS(sc_tecreate, ER_TCB, sc_tecreate(rest, 1, 1, 0, 0, 0, NULL, 0, &err));
}

static char *box;

static void fill_numbers(void *unused)
{
	int count = 0;

	(void)unused;
	do
		(void)sc_qcreate(-1, 1, &err), count++;
	while (err == RET_OK);
	FAILS(sc_qcreate, ER_QID, sc_qcreate(-1, 1, &err));
	FAILS(sc_qecreate, ER_QID, sc_qecreate(-1, 1, 1, &err));
	/* -1 does not give 0. */
	expect_eq(count, 256);
	(void)WORKS(sc_qcreate, sc_qcreate(0, 1, &err));
	sc_post(&box, "done", &err);
}

TEST(numbers_of_queues_are_used_up)
{
	spawn(fill_numbers, 1, 20);
	expect_true(sc_pend(&box, 0, &err) != NULL);
}
