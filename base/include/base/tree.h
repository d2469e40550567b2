/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intrusive ordered tree by (64-bit key, FIFO among equals), for run queues ordered by deadline.
 * An AVL tree: its height never exceeds 1.44 log2(n + 2), so that the worst case is known.
 *
 * Context: any, by the owner of the tree only. Cost: O(log n), first and empty constant.
 * Source: G. M. Adelson-Velsky, E. M. Landis, "An algorithm for the organization of information",
 * Doklady 146, 1962; D. E. Knuth, TAOCP vol. 3, 6.2.3.
 */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_tree_node {
	struct base_tree_node *parent;
	struct base_tree_node *child[2]; /* 0: earlier, 1: later */
	uint64_t key;
	int8_t balance; /* height of child[1] minus height of child[0]: -1, 0, 1 */
	bool linked;
};

struct base_tree {
	struct base_tree_node *root;
	struct base_tree_node *first;
	uint32_t count;
};

static inline void base_tree_init(struct base_tree *tree)
{
	tree->root = NULL;
	tree->first = NULL;
	tree->count = 0;
}

static inline void base_tree_node_init(struct base_tree_node *node)
{
	node->linked = false;
}

static inline bool base_tree_linked(const struct base_tree_node *node)
{
	return node->linked;
}

static inline bool base_tree_empty(const struct base_tree *tree)
{
	return tree->root == NULL;
}

/* The node with the smallest key, the oldest among equals; NULL of an empty tree. */
static inline struct base_tree_node *base_tree_first(const struct base_tree *tree)
{
	return tree->first;
}

/*
 * Inserts an initialised, unlinked node behind all nodes whose keys are not greater.
 * Returns true when it became the first. A node that is linked stays as it is, and false.
 */
bool base_tree_insert(struct base_tree *tree, struct base_tree_node *node, uint64_t key);

/* The same, before all nodes whose keys are not smaller. */
bool base_tree_insert_front(struct base_tree *tree, struct base_tree_node *node, uint64_t key);

/* Removes a node of this tree; harmless when it is not linked. */
void base_tree_remove(struct base_tree *tree, struct base_tree_node *node);

/* The oldest node with this key, or NULL. */
struct base_tree_node *base_tree_find(const struct base_tree *tree, uint64_t key);

/* The node after a linked node, or NULL. A walk of all nodes costs O(n) together. */
struct base_tree_node *base_tree_next(const struct base_tree_node *node);

/* Verifies order, balance, links and count of the whole tree. For tests. Cost: O(n log n). */
bool base_tree_check(const struct base_tree *tree);

#endif
