/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows that only tactus-switch has. */
#ifndef SWITCH_ROWS_H
#define SWITCH_ROWS_H

struct bench_row;

extern const struct bench_row switch_2, switch_2_float, switch_10, switch_10_float, switch_100,
	switch_100_float, switch_1000, switch_1000_float, switch_light_2, switch_light_10,
	switch_light_100, switch_light_1000;

#endif
