/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Perturbation: with a seed, the cost of each scheduling point is drawn at random, so that every
 * order of the entities' steps and every place of an event can occur. Without a seed, everything
 * has its configured cost. One distribution does not reach all orders equally well, so the seed
 * also picks a character for the run: even steps that meet in ties, mostly small steps with jumps,
 * entities of very different pace, long pauses of one entity while all others run on. Source of the
 * generator: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014 (SplitMix64).
 */
#include "perturb.h"

#include "state.h"

enum character { EVEN, JUMPY, PACED, PAUSING, CHARACTERS };

static struct {
	bool seeded;
	enum character character;
	uint64_t state;
} perturb;

static uint64_t draw(void)
{
	uint64_t z = perturb.state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* 0 … n - 1; the bias of the multiplication is below 2^-32. */
static uint64_t draw_below(uint32_t n)
{
	return (draw() >> 32) * n >> 32;
}

/* All magnitudes up to 2^bits are equally likely. */
static uint64_t draw_magnitude(uint32_t bits)
{
	return draw() & ((1ull << draw_below(bits + 1)) - 1);
}

void sim_perturb_start(bool seeded, uint64_t seed)
{
	perturb.seeded = seeded;
	perturb.state = seed;
	perturb.character = EVEN;
	if (!seeded)
		return;
	draw(); /* so that neighbouring seeds diverge */
	perturb.character = (enum character)draw_below(CHARACTERS);
}

uint64_t sim_perturb_cost(struct sim_entity *entity)
{
	uint64_t base = sim_run.options.costs.point_ns;
	uint64_t dice;

	if (!perturb.seeded)
		return base;
	dice = draw_below(256);
	switch (perturb.character) {
	case EVEN:
		return dice < 224 ? base : base + draw_below(4);
	case PACED:
		if (dice == 0)
			entity->pace = 1u << draw_below(10);
		return base * entity->pace + draw_below(3);
	case PAUSING:
		if (dice < 4)
			return base + draw_magnitude(22);
		return base + draw_below(2);
	case JUMPY:
	case CHARACTERS:
		break;
	}
	if (dice < 2)
		return base + draw_magnitude(20);
	if (dice < 24)
		return base + draw_magnitude(12);
	return base + draw_below(8);
}

uint64_t sim_perturb_latency(uint64_t latency_ns)
{
	uint64_t dice;

	if (!perturb.seeded)
		return latency_ns;
	dice = draw_below(64);
	if (dice < 2)
		return latency_ns + draw_magnitude(18);
	if (dice < 32)
		return latency_ns;
	return draw_below(latency_ns < 0x7fffffff ? (uint32_t)latency_ns * 2 + 1 : UINT32_MAX);
}

uint32_t sim_perturb_choose(uint32_t n)
{
	return perturb.seeded ? (uint32_t)draw_below(n) : n - 1;
}

bool sim_perturb_rarely(uint32_t n)
{
	return perturb.seeded && draw_below(n) == 0;
}
