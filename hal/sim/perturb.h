/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Perturbation: what a seed changes in the order and length of steps. */
#ifndef SIM_PERTURB_H
#define SIM_PERTURB_H

#include "state.h"

void sim_perturb_start(bool seeded, uint64_t seed);
/* The cost of this scheduling point for this entity; at least 1 ns. */
uint64_t sim_perturb_cost(struct sim_entity *entity);
/* A given latency, sometimes stretched if there is a seed. */
uint64_t sim_perturb_latency(uint64_t latency_ns);
/* 0 … n - 1; always n - 1 without a seed, so that the first of equals stays chosen. */
uint32_t sim_perturb_choose(uint32_t n);
/* With a seed true about once in n times; without one never. */
bool sim_perturb_rarely(uint32_t n);

#endif
