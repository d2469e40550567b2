/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the RTAI skin share. Their main() is a task of RTAI. */
#ifndef TESTS_SKINS_RTAI_TEST_H
#define TESTS_SKINS_RTAI_TEST_H

#include <rtai_lxrt.h>

#include "skin_check.h"

#define MS(n) ((RTIME)(n)*1000000)
/* So long that it never passes by itself. */
#define LONG MS(100000)
/* Pointers that no object has: one of the skin's kind, and another one. */
#define NOTHING      ((void *)(uintptr_t)0x5254000100000001ull)
#define GARBAGE      ((void *)(uintptr_t)0x1234)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define MAIN_PRIORITY 50

static inline RT_TASK *be_task(int priority)
{
	RT_TASK *self = rt_task_init(0, priority, 0, 0);

	expect_true(self != NULL);
	rt_make_hard_real_time();
	return self;
}

/* A case whose main() is a hard task of RTAI. */
#define RTAI_TEST(name)                 \
	static void name##_body(void);  \
	TEST_UNSTARTED(name)            \
	{                               \
		be_task(MAIN_PRIORITY); \
		name##_body();          \
	}                               \
	static void name##_body(void)

/* A thread that is a hard task while it runs its body. */
struct peer {
	int priority;
	void (*body)(void *arg);
	void *arg;
	RT_TASK *task;
	long thread;
};

static inline void *peer_run(void *arg)
{
	struct peer *peer = arg;

	peer->task = be_task(peer->priority);
	peer->body(peer->arg);
	rt_task_delete(NULL);
	return NULL;
}

/* When it returns, the peer has run until it waits. */
static inline void peer_start(struct peer *peer, int priority, void (*body)(void *arg), void *arg)
{
	*peer = (struct peer){.priority = priority, .body = body, .arg = arg};
	peer->thread = rt_thread_create((void *)peer_run, peer, 0);
	expect_true(peer->thread != 0);
	do
		rt_sleep(MS(2));
	while (!peer->task);
	rt_sleep(MS(2));
}

static inline void peer_join(const struct peer *peer)
{
	expect_eq(rt_thread_join(peer->thread), 0);
}

/* More urgent than main(): while the body waits, act(object). */
static inline void while_it_waits(void (*body)(void *arg), void (*act)(struct peer *peer))
{
	struct peer peer;

	peer_start(&peer, 10, body, NULL);
	act(&peer);
	peer_join(&peer);
}

static inline void break_its_wait(struct peer *peer)
{
	expect_eq(rt_task_masked_unblock(peer->task, ~0ul), RTE_UNBLKD);
}

/* The body in a task that RTAI does not know, and in a handler. */
static inline void in_handler(void (*body)(void *arg))
{
	test_in_handler(body, NULL);
}

#endif
