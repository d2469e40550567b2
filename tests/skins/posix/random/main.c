/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * usage: random GROUPS FIRST COUNT: runs the programs of COUNT seeds with calls of the groups (as
 * mutex,cond), and prints the result of each call. With `apart` among the groups, each call has its
 * own instant, for calls that Linux serves: others may run meanwhile.
 */
#include "check.h"

#include "random.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART_NS 1000000
#define NOTES    1000
#define ROUNDS   200
#define ABOVE    90

struct noted {
	int actor;
	unsigned at, what;
	const char *name;
	long result;
};

static const struct kind *const kinds[] = {&random_threads, &random_locks, &random_meetings,
					   &random_messages, &random_signals};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct actor actors[ACTORS];
unsigned actor_count;
bool apart, may_be_robust;
__thread struct actor *self;

static struct noted notes[NOTES];
static atomic_uint noted;
static atomic_int_fast64_t latest_ns;
static int64_t realtime_ahead_ns;
static uint64_t state;

unsigned chosen(unsigned limit)
{
	uint64_t mixed = state += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return (unsigned)((mixed ^ mixed >> 31) >> 32) % limit;
}

void note(const char *name, unsigned what, long result)
{
	unsigned place = atomic_fetch_add(&noted, 1);

	if (place < NOTES)
		notes[place] = (struct noted){self ? self->number : -1, self ? self->at : 0, what,
					      name, result};
}

static struct timespec instant(int64_t ns)
{
	return (struct timespec){ns / 1000000000, ns % 1000000000};
}

struct timespec soon(clockid_t clock)
{
	int64_t now = (int64_t)now_ns(CLOCK_MONOTONIC), old = atomic_load(&latest_ns), then;

	do
		then = (old > now ? old : now) + APART_NS;
	while (!atomic_compare_exchange_weak(&latest_ns, &old, then));
	return instant(then + (clock == CLOCK_REALTIME ? realtime_ahead_ns : 0));
}

struct timespec in_a_while(void)
{
	const struct timespec then = soon(CLOCK_MONOTONIC);
	int64_t ns = then.tv_sec * 1000000000 + then.tv_nsec - (int64_t)now_ns(CLOCK_MONOTONIC);

	return instant(ns > 0 ? ns : 0);
}

static void leave(void *unused)
{
	(void)unused;
	note("end", 0, 0);
	for (unsigned i = 0; i < KINDS; i++)
		kinds[i]->leave();
	self->gone = true;
}

static void *act(void *actor)
{
	self = actor;
	sem_wait(&self->born);
	pthread_cleanup_push(leave, NULL);
	for (self->at = 0; self->at < self->count; self->at++) {
		const struct step *step = &self->steps[self->at];
		struct timespec then;
		long result;

		if (apart) {
			then = soon(CLOCK_MONOTONIC);
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
		}
		result = step->operation->call(step->what, step->how);
		if (result != SKIPPED)
			note(step->operation->name, step->what, result);
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cleanup_pop(1);
	return NULL;
}

static bool all_gone(void)
{
	for (unsigned i = 0; i < actor_count; i++)
		if (!actors[i].gone)
			return false;
	return true;
}

/* Runs when no other thread can: until the last deadline has passed, another thread will. */
static void *referee(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < actor_count; i++)
		sem_post(&actors[i].born);
	for (unsigned round = 0; !all_gone() && round < ROUNDS;) {
		int64_t then = atomic_load(&latest_ns) + APART_NS / 2;
		struct timespec until = instant(then);

		if (then > (int64_t)now_ns(CLOCK_MONOTONIC)) {
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
			continue;
		}
		note("referee", round, 0);
		for (unsigned i = 0; i < KINDS; i++)
			kinds[i]->free_all(round);
		soon(CLOCK_MONOTONIC);
		round++;
	}
	return NULL;
}

/* Threads of equal priority are rare, because their results depend on the order in more places. */
static void choose(const char *groups)
{
	const struct operation *known[64];
	const bool equal = chosen(4) == 0;
	unsigned count = 0;

	for (unsigned i = 0; i < KINDS; i++)
		for (unsigned j = 0; j < kinds[i]->count; j++)
			if (strstr(groups, kinds[i]->operations[j].group))
				known[count++] = &kinds[i]->operations[j];
	actor_count = 2 + chosen(ACTORS - 1);
	for (unsigned i = 0; i < actor_count; i++) {
		struct actor *actor = &actors[i];

		memset(actor, 0, sizeof(*actor));
		sem_init(&actor->born, 0, 0);
		actor->number = (int)i;
		actor->priority =
			20 + (int)(equal ? chosen(3) * 10 : (i * 2 + 1) % actor_count * 9);
		actor->count = 4 + chosen(STEPS - 4);
		for (unsigned j = 0; j < actor->count; j++) {
			actor->steps[j].operation = known[chosen(count)];
			actor->steps[j].what = chosen(8);
			actor->steps[j].how = chosen(8);
		}
	}
}

static void run(const char *groups, unsigned seed)
{
	pthread_t last;

	state = seed;
	noted = 0;
	choose(groups);
	for (unsigned i = 0; i < KINDS; i++)
		kinds[i]->make();
	realtime_ahead_ns = (int64_t)(now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC));
	for (unsigned i = 0; i < actor_count; i++)
		actors[i].thread = thread_with(SCHED_FIFO, actors[i].priority, act, &actors[i]);
	for (unsigned i = 0; i < actor_count; i++)
		note("priority", i, actors[i].priority);
	latest_ns = (int64_t)now_ns(CLOCK_MONOTONIC);
	last = thread_with(SCHED_FIFO, 1, referee, NULL);
	/* Linux decides when an actor's thread has ended, later than its last action. */
	pthread_join(last, NULL);
	for (unsigned i = 0; i < actor_count; i++) {
		void *result;
		int error = pthread_join(actors[i].thread, &result);

		note(result == PTHREAD_CANCELED ? "cancelled" : "joined", i, error);
	}
	for (unsigned i = 0; i < KINDS; i++)
		kinds[i]->destroy();
	for (unsigned i = 0; i < noted && i < NOTES; i++)
		printf("%u: %d.%u %s(%u) = %ld\n", seed, notes[i].actor, notes[i].at, notes[i].name,
		       notes[i].what, notes[i].result);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const struct sched_param above = {.sched_priority = ABOVE};
	unsigned first, count;

	if (argc != 4) {
		fputs("usage: random GROUPS FIRST COUNT\n", stderr);
		return 2;
	}
	first = (unsigned)strtoul(argv[2], NULL, 10);
	count = (unsigned)strtoul(argv[3], NULL, 10);
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &above))
		return 77;
	apart = strstr(argv[1], "apart") != NULL;
	may_be_robust = strstr(argv[1], "robust") != NULL;
	for (unsigned i = 0; i < count; i++)
		run(argv[1], first + i);
	return 0;
}
