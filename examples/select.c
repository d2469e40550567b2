/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for several objects: one task serves a queue of orders, alarms that other parts raise,
 * and the request to stop. It takes one thing at a time; what it has not taken stays where it is.
 */
#include "example.h"

enum { STOP, ALARM, ORDER };

#define SMOKE 1u
#define HEAT  2u

static tact_queue_t orders;
static tact_event_t alarms;
static tact_sem_t stop;

static void serve(void *arg)
{
	char order[32];
	/* If several are ready, the first one is taken. */
	struct tact_wait_item item[] = {
		tact_wait_event(alarms, SMOKE | HEAT, TACT_EVENT_CONSUME, ALARM),
		tact_wait_queue(orders, order, sizeof(order), ORDER),
		tact_wait_sem(stop, STOP),
	};
	struct tact_wait_item *taken;

	(void)arg;
	do {
		expect(tact_wait_any(item, 3, TACT_FOREVER, &taken), "wait");
		if (taken->cookie == ORDER)
			note(order);
		else if (taken->cookie == ALARM)
			note(taken->value & SMOKE ? "alarm: smoke" : "alarm: heat");
	} while (taken->cookie != STOP);
	note("stopped");
}

static void direct(void *arg)
{
	tact_task_t server = make("server", EXAMPLE_TOP - 10, 0);

	(void)arg;
	expect(tact_queue_create("orders", 32, 8, TACT_FIFO, &orders), "queue");
	expect(tact_event_create("alarms", 0, TACT_FIFO, &alarms), "event");
	expect(tact_sem_create("stop", 0, 1, TACT_FIFO, &stop), "semaphore");
	expect(tact_queue_send(orders, "order: a", 9, TACT_QUEUE_NORMAL, TACT_NOWAIT), "send");
	expect(tact_event_set(alarms, SMOKE), "set");
	expect(tact_task_start(server, serve, NULL), "start");
	/* The server is less urgent: it serves both, and waits. */
	expect(tact_task_sleep(TACT_MS(1)), "sleep");
	expect(tact_queue_send(orders, "order: b", 9, TACT_QUEUE_NORMAL, TACT_NOWAIT), "send");
	expect(tact_task_sleep(TACT_MS(1)), "sleep");
	expect(tact_event_set(alarms, HEAT), "set");
	expect(tact_sem_post(stop), "post");
	expect(tact_task_join(server, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
