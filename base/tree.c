/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AVL tree with parent links. Invariants: the in-order walk is sorted by key, equals as they were
 * inserted (rotations keep the in-order walk, so no sequence number is needed); the heights of two
 * siblings differ by one at most. No recursion.
 */
#include "base/tree.h"

/* Makes child, which may be NULL, take old's place below parent, which may be NULL (the root). */
static void replace_child(struct base_tree *tree, struct base_tree_node *parent,
			  struct base_tree_node *old, struct base_tree_node *child)
{
	if (!parent)
		tree->root = child;
	else
		parent->child[parent->child[1] == old] = child;
	if (child)
		child->parent = parent;
}

/* Moves top down to the given side; the child of the other side takes its place. */
static struct base_tree_node *rotate(struct base_tree *tree, struct base_tree_node *top, int side)
{
	struct base_tree_node *up = top->child[!side];
	struct base_tree_node *inner = up->child[side];

	replace_child(tree, top->parent, top, up);
	top->child[!side] = inner;
	if (inner)
		inner->parent = top;
	up->child[side] = top;
	top->parent = up;
	return up;
}

/* top is two levels too high on one side: returns the new root of its subtree. */
static struct base_tree_node *rebalance(struct base_tree *tree, struct base_tree_node *top,
					int heavy)
{
	int sign = heavy ? 1 : -1;
	struct base_tree_node *child = top->child[heavy];
	struct base_tree_node *grandchild;

	if (child->balance != -sign) {
		/* A child in balance occurs in removals only; then the height stays the same. */
		top->balance = (int8_t)(child->balance ? 0 : sign);
		child->balance = (int8_t)(child->balance ? 0 : -sign);
		return rotate(tree, top, !heavy);
	}
	grandchild = child->child[!heavy];
	rotate(tree, child, heavy);
	rotate(tree, top, !heavy);
	top->balance = (int8_t)(grandchild->balance == sign ? -sign : 0);
	child->balance = (int8_t)(grandchild->balance == -sign ? sign : 0);
	grandchild->balance = 0;
	return grandchild;
}

/* Among nodes of its key it is the first (front) or the last. */
static bool insert(struct base_tree *tree, struct base_tree_node *node, uint64_t key, bool front)
{
	struct base_tree_node *parent = NULL;
	struct base_tree_node **link = &tree->root;
	bool first = true;

	if (node->linked)
		return false;
	while (*link) {
		int side;

		parent = *link;
		side = front ? key > parent->key : key >= parent->key;
		first = first && !side;
		link = &parent->child[side];
	}
	node->parent = parent;
	node->child[0] = NULL;
	node->child[1] = NULL;
	node->key = key;
	node->balance = 0;
	node->linked = true;
	*link = node;
	tree->count++;
	if (first)
		tree->first = node;

	for (struct base_tree_node *child = node; parent; child = parent, parent = parent->parent) {
		int side = parent->child[1] == child;
		int balance = parent->balance + (side ? 1 : -1);

		if (balance == 2 || balance == -2) {
			rebalance(tree, parent, side);
			break;
		}
		parent->balance = (int8_t)balance;
		if (!balance)
			break;
	}
	return first;
}

bool base_tree_insert(struct base_tree *tree, struct base_tree_node *node, uint64_t key)
{
	return insert(tree, node, key, false);
}

bool base_tree_insert_front(struct base_tree *tree, struct base_tree_node *node, uint64_t key)
{
	return insert(tree, node, key, true);
}

/* The subtree on this side of parent has become one lower. */
static void shrunk(struct base_tree *tree, struct base_tree_node *parent, int side)
{
	while (parent) {
		struct base_tree_node *top = parent;
		struct base_tree_node *above = parent->parent;
		int above_side = above && above->child[1] == parent;
		int balance = parent->balance + (side ? -1 : 1);

		if (balance == 2 || balance == -2)
			top = rebalance(tree, parent, !side);
		else
			parent->balance = (int8_t)balance;
		if (top->balance)
			break; /* the height is what it was */
		parent = above;
		side = above_side;
	}
}

void base_tree_remove(struct base_tree *tree, struct base_tree_node *node)
{
	struct base_tree_node *parent;
	int side;

	if (!node->linked)
		return;
	parent = node->parent;
	if (tree->first == node)
		tree->first = base_tree_next(node);
	node->linked = false;
	tree->count--;

	side = parent && parent->child[1] == node;
	if (node->child[0] && node->child[1]) {
		/* The next node has no earlier child: it leaves its place and takes this one's. */
		struct base_tree_node *next = node->child[1];
		struct base_tree_node *lower;

		while (next->child[0])
			next = next->child[0];
		lower = next->parent;
		if (lower == node) {
			lower = next;
			side = 1;
		} else {
			lower->child[0] = next->child[1];
			if (next->child[1])
				next->child[1]->parent = lower;
			next->child[1] = node->child[1];
			next->child[1]->parent = next;
			side = 0;
		}
		next->child[0] = node->child[0];
		next->child[0]->parent = next;
		next->balance = node->balance;
		replace_child(tree, parent, node, next);
		parent = lower;
	} else {
		replace_child(tree, parent, node, node->child[0] ? node->child[0] : node->child[1]);
	}
	shrunk(tree, parent, side);
}

struct base_tree_node *base_tree_find(const struct base_tree *tree, uint64_t key)
{
	struct base_tree_node *node = tree->root;
	struct base_tree_node *found = NULL;

	while (node) {
		/* One with this key may have older equals before it. */
		if (node->key == key)
			found = node;
		node = node->child[node->key < key];
	}
	return found;
}

struct base_tree_node *base_tree_next(const struct base_tree_node *node)
{
	const struct base_tree_node *parent;

	if (node->child[1]) {
		node = node->child[1];
		while (node->child[0])
			node = node->child[0];
		return (struct base_tree_node *)node;
	}
	for (parent = node->parent; parent && parent->child[1] == node; parent = parent->parent)
		node = parent;
	return (struct base_tree_node *)parent;
}

/* Height by the balances alone; each balance is verified where two heights meet. */
static unsigned height_of(const struct base_tree_node *node)
{
	unsigned height = 0;

	for (; node; node = node->child[node->balance > 0])
		height++;
	return height;
}

bool base_tree_check(const struct base_tree *tree)
{
	const struct base_tree_node *node = tree->root;
	const struct base_tree_node *before = NULL;
	uint32_t count = 0;

	if (node && node->parent)
		return false;
	while (node && node->child[0])
		node = node->child[0];
	if (node != tree->first)
		return false;
	for (; node; node = base_tree_next(node)) {
		int difference = (int)height_of(node->child[1]) - (int)height_of(node->child[0]);

		if (!node->linked || difference != node->balance ||
		    (before && before->key > node->key))
			return false;
		for (int side = 0; side < 2; side++)
			if (node->child[side] && node->child[side]->parent != node)
				return false;
		before = node;
		count++;
	}
	return count == tree->count;
}
