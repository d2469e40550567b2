/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A reader-writer lock: many may read at once, one may write. Readers and writers inherit
 * priorities as owners of a mutex do.
 */
#include "example.h"

static tact_rwlock_t lock;
static int table[2] = {1, 1};

static void read_table(void *arg)
{
	expect(tact_rwlock_read(lock, TACT_FOREVER), "read");
	note((const char *)arg);
	note(table[0] == table[1] ? "  sees a whole table" : "  sees half a change");
	expect(tact_task_sleep(TACT_MS(2)), "sleep"); /* holding it: others may read meanwhile */
	expect(tact_rwlock_unlock(lock), "unlock");
}

static void write_table(void *arg)
{
	(void)arg;
	note("writer: waits until nobody reads");
	expect(tact_rwlock_write(lock, TACT_FOREVER), "write");
	table[0]++;
	expect(tact_task_sleep(TACT_MS(1)), "sleep"); /* half done: nobody sees it */
	table[1]++;
	note("writer: done");
	expect(tact_rwlock_unlock(lock), "unlock");
}

static void direct(void *arg)
{
	static char names[3][16] = {"first reader", "second reader", "third reader"};
	tact_task_t reader[3] = {make("r1", 40, 0), make("r2", 30, 0), make("r3", 10, 0)};
	tact_task_t writer = make("writer", 20, 0);

	(void)arg;
	expect(tact_rwlock_create("table", 8, TACT_PRIO, &lock), "rwlock");
	expect(tact_task_start(reader[0], read_table, names[0]), "start");
	expect(tact_task_start(reader[1], read_table, names[1]), "start");
	expect(tact_task_start(writer, write_table, NULL), "start");
	expect(tact_task_start(reader[2], read_table, names[2]), "start"); /* after the writer */
	for (int i = 0; i < 3; i++)
		expect(tact_task_join(reader[i], TACT_FOREVER), "join");
	expect(tact_task_join(writer, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
