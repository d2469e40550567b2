/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists and the priority bitmap agree with plain arrays after random changes. */
#include "base/bitmap.h"
#include "base/list.h"
#include "check.h"

#define NODES 64
#define STEPS 100000

static void list_matches_array(void)
{
	struct base_list head, nodes[NODES];
	struct base_list *model[NODES];
	uint64_t random = 1;
	int count = 0;

	base_list_init(&head);
	for (int i = 0; i < NODES; i++)
		base_list_init(&nodes[i]);
	for (int step = 0; step < STEPS; step++) {
		struct base_list *node = &nodes[random_below(&random, NODES)];
		int place = 0;

		if (base_list_linked(node)) {
			while (model[place] != node)
				place++;
			count--;
			memmove(&model[place], &model[place + 1],
				(size_t)(count - place) * sizeof(model[0]));
			base_list_unlink(node);
		} else if (random_below(&random, 2)) {
			model[count++] = node;
			base_list_push_back(node, &head);
		} else {
			memmove(&model[1], &model[0], (size_t)count * sizeof(model[0]));
			model[0] = node;
			count++;
			base_list_push_front(node, &head);
		}
		expect("empty", count == 0, base_list_empty(&head));
		expect_pointer("first", count ? model[0] : NULL, base_list_first(&head));
		expect_pointer("last", count ? model[count - 1] : NULL, base_list_last(&head));
		place = 0;
		base_list_for_each(pos, &head)
			expect_pointer("in order", model[place++], pos);
		expect("length", count, place);
	}
	for (int i = 0; i < count; i++)
		expect_pointer("popped in order", model[i], base_list_pop_front(&head));
	expect_pointer("pop of nothing", NULL, base_list_pop_front(&head));
	base_list_unlink(&nodes[0]); /* idle: nothing happens */
	for (int i = 0; i < NODES; i++)
		base_list_push_back(&nodes[i], &head);
	base_list_for_each_safe(pos, &head)
		base_list_unlink(pos);
	expect("emptied while walking", true, base_list_empty(&head));
}

static void list_takes_another_in(void)
{
	struct base_list from, to, nodes[4];

	base_list_init(&from);
	base_list_init(&to);
	for (int i = 0; i < 4; i++)
		base_list_push_back(&nodes[i], i < 1 ? &to : &from);
	base_list_move_all(&from, &to);
	expect("emptied", true, base_list_empty(&from));
	base_list_move_all(&from, &to); /* of nothing: nothing happens */
	for (int i = 0; i < 4; i++)
		expect_pointer("in order", &nodes[i], base_list_pop_front(&to));
	expect("no more", true, base_list_empty(&to));
	base_list_push_back(&nodes[0], &from);
	base_list_move_all(&from, &to);
	expect_pointer("first of an empty one", &nodes[0], base_list_last(&to));
}

static void bitmap_matches_array(void)
{
	struct base_bitmap map = {0};
	bool model[BASE_BITMAP_BITS] = {false};
	uint64_t random = 2;

	expect("highest of nothing", -1, base_bitmap_highest(&map));
	for (int step = 0; step < STEPS; step++) {
		unsigned bit = random_below(&random, BASE_BITMAP_BITS);
		int highest = BASE_BITMAP_BITS - 1;

		/* Mostly sparse, so that words become empty. */
		model[bit] = random_below(&random, 100) < (step / 10000 % 2 ? 2u : 30u);
		if (model[bit])
			base_bitmap_set(&map, bit);
		else
			base_bitmap_clear(&map, bit);
		while (highest >= 0 && !model[highest])
			highest--;
		expect("highest", highest, base_bitmap_highest(&map));
		bit = random_below(&random, BASE_BITMAP_BITS);
		expect("member", model[bit], base_bitmap_test(&map, bit));
	}
}

int main(void)
{
	list_matches_array();
	list_takes_another_in();
	bitmap_matches_array();
	return 0;
}
