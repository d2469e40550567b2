/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Perturbation: what a seed changes in the order and length of things. */
#ifndef SIM_PERTURB_H
#define SIM_PERTURB_H

#include "state.h"

void sim_perturb_start(bool seeded, uint64_t seed);
/* What a scheduling point costs this entity now; at least 1 ns. */
uint64_t sim_perturb_cost(struct sim_entity *entity);
/* A given latency, stretched now and then when seeded. */
uint64_t sim_perturb_latency(uint64_t latency_ns);
/* 0 … n - 1; always n - 1 without a seed, so that the first of equals stays chosen. */
uint32_t sim_perturb_choose(uint32_t n);
/* True about once in n times when seeded, never otherwise. */
bool sim_perturb_rarely(uint32_t n);

#endif
