/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A steel ball below an electromagnet, and the controller that holds it there. Left alone the ball
 * falls or sticks to the magnet within some 20 ms: the plant is unstable, and time is what the
 * controller lives on.
 */
#ifndef MAGLEV_BALL_H
#define MAGLEV_BALL_H

#include <stdint.h>

#define BALL_STEP_NS   1000u /* the plant is computed in steps of a microsecond */
#define BALL_PERIOD_NS 100000u
#define BALL_GAP_MM    2.0 /* between magnet and ball, where it is to be */
#define BALL_TOP_MM    0.5 /* touches the magnet */
#define BALL_BOTTOM_MM 6.0 /* has fallen */

struct ball {
	double gap_m;     /* from the magnet down to the ball */
	double speed_m_s; /* downwards */
	double current_a; /* in the coil, follows the command */
	double command_a; /* of the controller */
	uint64_t time_ns; /* up to where it was computed */
	uint32_t drops;   /* times it fell or stuck, and was put back */
};

struct controller {
	double filtered_m; /* of the measured gap, for its derivative */
	double integral;
};

/* One turn of the loop, as it is left for the log. */
struct turn {
	uint32_t number;
	int32_t late_ns;
	float gap_mm;
	float current_a;
	uint32_t drops; /* times the ball was lost until now */
};

/* The loop: plant, controller and what has been seen. The same for every core that runs it. */
struct loop {
	struct ball ball;
	struct controller controller;
	uint32_t turns;
	int64_t late_max_ns;
	double gap_min_mm, gap_max_mm;
};

void loop_init(struct loop *loop, uint64_t now_ns);

/*
 * The plant goes on to the present under the last command, and the controller gives the next one.
 * Whoever comes late finds the ball farther away.
 */
struct turn loop_turn(struct loop *loop, uint64_t release_ns, uint64_t now_ns);

#endif
