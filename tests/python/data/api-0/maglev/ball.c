/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plant: mass * acceleration = weight - force * current² / gap², and a current amplifier of first
 * order. It is computed in fixed steps in a fixed order, so that a run in virtual time is the same
 * to the last bit. Controller: state feedback around the working point, with an integral for what
 * is not modelled. Source: K. Ogata, "Modern Control Engineering", 5th ed., 10-2 (pole placement).
 */
#include "ball.h"

#define MASS_KG     0.05
#define GRAVITY     9.81
#define AMPLIFIER_S 0.0003 /* time constant of the coil's current */
#define CURRENT_A   0.7    /* holds the ball at BALL_GAP_MM */
#define CURRENT_MAX 3.0
#define GAP_M       (BALL_GAP_MM / 1000)
#define FORCE       (MASS_KG * GRAVITY * GAP_M * GAP_M / (CURRENT_A * CURRENT_A))

/* Poles near 350 rad/s with a damping of 0.9: the plant's own is at +99 rad/s. */
#define GAIN_GAP      4725.0   /* A/m */
#define GAIN_SPEED    22.5     /* A s/m */
#define GAIN_INTEGRAL 200000.0 /* A/(m s) */
#define FILTER_RAD_S  2000.0
#define SENSOR_M      1e-6  /* resolution */
#define WAVE_TURNS    2500u /* the wanted gap changes every quarter of a second */
#define WAVE_M        0.0002

static void put_back(struct ball *ball)
{
	ball->gap_m = GAP_M;
	ball->speed_m_s = 0;
	ball->current_a = CURRENT_A;
	ball->command_a = CURRENT_A;
}

void loop_init(struct loop *loop, uint64_t now_ns)
{
	*loop = (struct loop){.gap_min_mm = BALL_BOTTOM_MM, .gap_max_mm = BALL_TOP_MM};
	put_back(&loop->ball);
	loop->ball.time_ns = now_ns;
	loop->controller.filtered_m = GAP_M;
}

static void step(struct ball *ball)
{
	const double dt = BALL_STEP_NS * 1e-9;
	double pull = ball->current_a / ball->gap_m;

	ball->current_a += dt / AMPLIFIER_S * (ball->command_a - ball->current_a);
	ball->speed_m_s += dt * (GRAVITY - FORCE / MASS_KG * pull * pull);
	ball->gap_m += dt * ball->speed_m_s;
}

/* True when the ball had to be put back. */
static int advance(struct ball *ball, uint64_t now_ns)
{
	int dropped = 0;

	for (; ball->time_ns + BALL_STEP_NS <= now_ns; ball->time_ns += BALL_STEP_NS) {
		step(ball);
		if (ball->gap_m * 1000 < BALL_TOP_MM || ball->gap_m * 1000 > BALL_BOTTOM_MM) {
			put_back(ball);
			ball->drops++;
			dropped = 1;
		}
	}
	return dropped;
}

static double control(struct controller *state, double gap_m, double wanted_m)
{
	const double dt = BALL_PERIOD_NS * 1e-9;
	double speed = FILTER_RAD_S * (gap_m - state->filtered_m);
	double error = gap_m - wanted_m;
	double command;

	state->filtered_m += dt * speed;
	state->integral += dt * error;
	command =
		CURRENT_A + GAIN_GAP * error + GAIN_SPEED * speed + GAIN_INTEGRAL * state->integral;
	if (command < 0)
		return 0;
	return command > CURRENT_MAX ? CURRENT_MAX : command;
}

struct turn loop_turn(struct loop *loop, uint64_t release_ns, uint64_t now_ns)
{
	struct ball *ball = &loop->ball;
	int64_t late_ns = (int64_t)(now_ns - release_ns);
	double wanted_m = GAP_M + (loop->turns / WAVE_TURNS % 2 ? WAVE_M : 0);
	double gap_mm;

	if (advance(ball, now_ns))
		loop->controller = (struct controller){.filtered_m = GAP_M};
	/* The sensor counts whole steps. */
	ball->command_a =
		control(&loop->controller,
			(double)(int64_t)(ball->gap_m / SENSOR_M + 0.5) * SENSOR_M, wanted_m);
	gap_mm = ball->gap_m * 1000;
	if (late_ns > loop->late_max_ns)
		loop->late_max_ns = late_ns;
	if (gap_mm < loop->gap_min_mm)
		loop->gap_min_mm = gap_mm;
	if (gap_mm > loop->gap_max_mm)
		loop->gap_max_mm = gap_mm;
	return (struct turn){
		.number = loop->turns++,
		.late_ns = late_ns > INT32_MAX ? INT32_MAX : (int32_t)late_ns,
		.gap_mm = (float)gap_mm,
		.current_a = (float)ball->current_a,
		.drops = ball->drops,
	};
}
