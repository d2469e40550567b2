/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random insertions and removals give the order of a sorted array in which equals stay as they
 * were inserted; the tree's own check verifies balance and links on the way.
 */
#include "base/tree.h"
#include "check.h"

#define NODES 400
#define STEPS 40000

static struct base_tree_node nodes[NODES];
static struct base_tree_node *model[NODES]; /* sorted */
static uint32_t model_count;

static void model_insert(struct base_tree_node *node, uint64_t key, bool front)
{
	uint32_t place = model_count++;

	for (; place && model[place - 1]->key + front > key; place--)
		model[place] = model[place - 1];
	model[place] = node;
}

static void model_remove(const struct base_tree_node *node)
{
	uint32_t place = 0;

	while (model[place] != node)
		place++;
	model_count--;
	memmove(&model[place], &model[place + 1], (model_count - place) * sizeof(model[0]));
}

/* One key, of a node or not. */
static void compare_found(const struct base_tree *tree, uint64_t key)
{
	uint32_t place = 0;

	while (place < model_count && model[place]->key < key)
		place++;
	expect_pointer("found",
		       place < model_count && model[place]->key == key ? model[place] : NULL,
		       base_tree_find(tree, key));
}

static void compare(const struct base_tree *tree)
{
	struct base_tree_node *node = base_tree_first(tree);

	expect("count", model_count, tree->count);
	expect("empty", model_count == 0, base_tree_empty(tree));
	for (uint32_t i = 0; i < model_count; i++, node = base_tree_next(node))
		expect_pointer("node in order", model[i], node);
	expect_pointer("end of the walk", NULL, node);
	expect("check", true, base_tree_check(tree));
}

static void run(uint64_t seed, uint32_t keys)
{
	uint64_t random = seed;
	struct base_tree tree;

	base_tree_init(&tree);
	for (int i = 0; i < NODES; i++)
		base_tree_node_init(&nodes[i]);
	for (int step = 0; step < STEPS; step++) {
		struct base_tree_node *node = &nodes[random_below(&random, NODES)];

		if (base_tree_linked(node)) {
			model_remove(node);
			base_tree_remove(&tree, node);
			expect("unlinked", false, base_tree_linked(node));
		} else if (random_below(&random, 100) < (step / 5000 % 2 ? 25u : 100u)) {
			uint64_t key = keys ? random_below(&random, keys) : next_random(&random);
			bool front = random_below(&random, 4) == 0;
			bool first = front ? base_tree_insert_front(&tree, node, key)
					   : base_tree_insert(&tree, node, key);

			model_insert(node, key, front);
			expect("insert reports the first", model[0] == node, first);
			expect("inserted twice", false, base_tree_insert(&tree, node, 0));
			expect("inserted twice", false, base_tree_insert_front(&tree, node, 0));
		} else {
			base_tree_remove(&tree, node); /* not linked: nothing happens */
		}
		if (step % 8 == 0)
			compare(&tree);
		compare_found(&tree, keys ? random_below(&random, keys) : node->key);
	}
	while (model_count) {
		struct base_tree_node *first = base_tree_first(&tree);

		expect_pointer("drained in order", model[0], first);
		model_remove(first);
		base_tree_remove(&tree, first);
		expect("check", true, base_tree_check(&tree));
	}
	expect_pointer("first of nothing", NULL, base_tree_first(&tree));
}

/* The height of an AVL tree of n nodes is below 1.4405 log2(n + 2): 14 for 1000 in any order. */
static void stays_low_in_sorted_order(void)
{
	static struct base_tree_node many[1000];
	struct base_tree tree;
	int height = 0;

	base_tree_init(&tree);
	for (unsigned i = 0; i < 1000; i++) {
		base_tree_node_init(&many[i]);
		base_tree_insert(&tree, &many[i], i);
	}
	for (unsigned i = 0; i < 1000; i++) {
		int depth = 0;

		for (struct base_tree_node *node = &many[i]; node; node = node->parent)
			depth++;
		height = depth > height ? depth : height;
	}
	expect("height is at most 14", true, height <= 14);
	expect("check", true, base_tree_check(&tree));
}

int main(void)
{
	run(1, 3);
	run(2, 100);
	run(3, 0);
	stays_low_in_sorted_order();
	return 0;
}
