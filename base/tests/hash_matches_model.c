/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random entering, finding and removing of names agrees with a model; bad sizes are refused. */
#include "base/error.h"
#include "base/hash.h"
#include "check.h"

#define NAMES 300
#define STEPS 50000

static struct base_hash_node nodes[NAMES];
static char names[NAMES][16];
static bool entered[NAMES];

static void walk(const struct base_hash *table, unsigned expected)
{
	bool seen[NAMES] = {false};
	unsigned count = 0;

	for (struct base_hash_node *node = base_hash_next(table, NULL); node;
	     node = base_hash_next(table, node), count++) {
		expect("walked once", false, seen[node - nodes]);
		expect("walked an entered one", true, entered[node - nodes]);
		seen[node - nodes] = true;
	}
	expect("walked all", expected, count);
}

static void run(uint64_t seed, size_t bucket_count)
{
	struct base_hash_node *buckets[256];
	struct base_hash_node stranger;
	struct base_hash table;
	uint64_t random = seed;
	unsigned count = 0;

	expect("init", 0, base_hash_init(&table, buckets, bucket_count));
	base_hash_node_init(&stranger);
	for (int i = 0; i < NAMES; i++) {
		base_hash_node_init(&nodes[i]);
		snprintf(names[i], sizeof(names[i]), i % 2 ? "task%d" : "%d/sem", i);
		entered[i] = false;
	}
	for (int step = 0; step < STEPS; step++) {
		uint32_t i = random_below(&random, NAMES);
		char name[16];

		memcpy(name, names[i], sizeof(name)); /* found by content, not by address */
		expect_pointer("find", entered[i] ? &nodes[i] : NULL, base_hash_find(&table, name));
		expect("linked", entered[i], base_hash_linked(&nodes[i]));
		if (!entered[i]) {
			expect("insert", 0, base_hash_insert(&table, &nodes[i], names[i]));
			expect("same name", -TACT_EEXIST,
			       base_hash_insert(&table, &stranger, name));
			expect("same node", -TACT_EBUSY, base_hash_insert(&table, &nodes[i], "x"));
			count++;
		} else {
			base_hash_remove(&table, &nodes[i]);
			base_hash_remove(&table, &nodes[i]);
			count--;
		}
		entered[i] = !entered[i];
		expect("count", count, (int64_t)table.count);
		if (step % 256 == 0)
			walk(&table, count);
	}
}

int main(void)
{
	struct base_hash_node *buckets[8];
	struct base_hash table;

	expect("no buckets", -TACT_EINVAL, base_hash_init(&table, buckets, 0));
	expect("six buckets", -TACT_EINVAL, base_hash_init(&table, buckets, 6));
	expect("buckets nowhere", -TACT_EINVAL, base_hash_init(&table, NULL, 8));
	run(1, 256);
	run(2, 16);
	run(3, 1);
	return 0;
}
