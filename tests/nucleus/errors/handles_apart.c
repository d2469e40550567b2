/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stale handle is recognised through 65 536 later creations, however many objects are alive. */
#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>

#define APART     65536u
#define CREATIONS (APART + APART / 2)
#define HANDLES   (1u << 26) /* of one CPU */
#define LIMIT     1047518u   /* objects alive on a CPU: <tactus/object.h> */

static uint32_t *created; /* by handle: the number of the creation that gave it out last */
static uint32_t creations;

static tact_sem_t create(void)
{
	tact_sem_t sem;
	uint32_t *last;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_true(sem.id < HANDLES);
	last = &created[sem.id];
	/* The watchdog must see that Linux gets its share, also on a busy machine. */
	if (++creations % 4096 == 0)
		expect_ok(tact_task_sleep(TEST_MS));
	if (*last && creations - *last <= APART)
		test_fail(__FILE__, __LINE__, "handle 0x%x again after %u creations", sem.id,
			  creations - *last);
	*last = creations;
	return sem;
}

static void begin(void)
{
	created = mmap(NULL, HANDLES * sizeof(*created), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	expect_true(created != MAP_FAILED);
}

/* Beside so many that stay alive. */
static void create_and_delete(uint32_t alive)
{
	tact_sem_t stale;

	begin();
	for (uint32_t i = 0; i < alive; i++)
		(void)create();
	stale = create();
	expect_ok(tact_sem_delete(stale));
	for (uint32_t i = 0; i < CREATIONS; i++) {
		tact_sem_t sem = create();

		if (i < APART)
			expect_error(tact_sem_inquire(stale, NULL), TACT_EIDRM);
		expect_ok(tact_sem_delete(sem));
	}
}

TASK_TEST(stale_handle_is_recognised_where_nothing_else_is_alive)
{
	create_and_delete(0);
}

TASK_TEST(stale_handle_is_recognised_beside_4000_objects)
{
	create_and_delete(4000);
}

TASK_TEST(stale_handle_is_recognised_beside_4091_objects)
{
	create_and_delete(4091);
}

TASK_TEST(stale_handle_is_recognised_beside_5000_objects)
{
	create_and_delete(5000);
}

/* So many that the queue of free indices gets its full length without a creation. */
#define OLDER_MAX 1057u

static void free_older_ones_later(uint32_t count)
{
	static tact_sem_t older[OLDER_MAX];
	tact_sem_t stale;

	begin();
	for (uint32_t i = 0; i < count; i++)
		older[i] = create();
	stale = create();
	expect_ok(tact_sem_delete(stale));
	for (uint32_t i = 0; i < count; i++)
		expect_ok(tact_sem_delete(older[i]));
	for (uint32_t i = 0; i < CREATIONS; i++)
		expect_ok(tact_sem_delete(create()));
}

TASK_TEST(handles_are_apart_when_older_objects_are_freed_later)
{
	free_older_ones_later(1040);
}

TASK_TEST(handles_are_apart_when_one_object_less_than_rest_is_freed_later)
{
	free_older_ones_later(OLDER_MAX);
}

#define SOME 300u

TASK_TEST(handles_are_apart_when_objects_come_and_go_in_any_order)
{
	static tact_sem_t sems[SOME];
	uint32_t random = 1;

	begin();
	for (uint32_t i = 0; i < CREATIONS; i++) {
		tact_sem_t *sem;

		random = random * 1103515245u + 12345u;
		sem = &sems[random >> 16 & 255];
		if (sem->id)
			expect_ok(tact_sem_delete(*sem));
		*sem = create();
	}
}

static void fill_and_go_on(void *unused)
{
	tact_sem_t *sems = malloc((LIMIT + 1) * sizeof(*sems));
	struct tact_cpu_info info = {0};
	uint32_t others, count = 0;

	(void)unused;
	expect_true(sems != NULL);
	expect_ok(tact_cpu_inquire(0, &info));
	others = info.objects;
	for (; count < LIMIT - others; count++)
		sems[count] = create();
	for (uint32_t i = 0; i < CREATIONS; i++) {
		expect_ok(tact_sem_delete(sems[count - 1]));
		sems[count - 1] = create();
	}
	while (!tact_sem_create(NULL, 0, 1, 0, &sems[LIMIT]))
		count++;
	expect_true(count < 1u << 20);
	free(sems);
}

static void beyond_the_limit_memory_is_of_no_use(void)
{
	struct tact_cpu_info before = {0}, after = {0};
	int result;

	expect_ok(tact_cpu_inquire(0, &before));
	do
		result = tact_sem_create(NULL, 0, 1, 0, NULL);
	while (!result);
	expect_error(result, TACT_ENOMEM);
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.pool_total_bytes, before.pool_total_bytes);
}

TEST_UNSTARTED(stale_handle_is_recognised_at_the_limit_of_objects)
{
	struct tact_config config = {.name = "handles", .pool_bytes = 1ull << 30};
	char reason[TACT_REASON_BYTES];

	if (!test_on_sim())
		test_skip("half a gigabyte of memory, which is locked but in virtual time");
	expect_ok(test_start(&config, reason));
	begin();
	test_join(test_spawn(TEST_PRIORITY, fill_and_go_on, NULL));
	beyond_the_limit_memory_is_of_no_use();
	expect_ok(tact_stop());
}
