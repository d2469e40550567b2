/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A semaphore hands work over: the consumer waits until the producer says that something is there.
 * The consumer is the more urgent one, so it takes over the CPU inside of the producer's post.
 */
#include "example.h"

static tact_sem_t full;

static void consume(void *arg)
{
	(void)arg;
	while (tact_sem_wait(full, TACT_FOREVER) == 0)
		note("  consumer: taken");
	/* Deleting the semaphore ends the wait with -TACT_EIDRM. */
	note("  consumer: no more to come");
}

static void produce(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++) {
		note("producer: posts");
		expect(tact_sem_post(full), "post");
	}
}

static void direct(void *arg)
{
	tact_task_t consumer = make("consumer", 20, 0);
	tact_task_t producer = make("producer", 10, 0);

	(void)arg;
	expect(tact_sem_create("full", 0, 100, TACT_PRIO, &full), "sem");
	expect(tact_task_start(consumer, consume, NULL), "start");
	expect(tact_task_start(producer, produce, NULL), "start");
	expect(tact_task_join(producer, TACT_FOREVER), "join");
	expect(tact_sem_delete(full), "delete");
	expect(tact_task_join(consumer, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
