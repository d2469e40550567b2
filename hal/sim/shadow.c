/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shadows: Linux threads of tasks. In secondary mode the task's flow runs on the shadow's entity,
 * at its virtual time. While the shadow is parked, its entity waits on a stack of its own. Each
 * shadow and each Linux thread has a virtual Linux CPU for itself: a priority in secondary mode is
 * recorded, but delays no thread.
 */
#define _GNU_SOURCE
#include "shadow.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "arch/context.h"
#include "base/error.h"
#include "cpu.h"
#include "engine.h"
#include "perturb.h"
#include "stack.h"
#include "state.h"

#define SHADOW_STACK_BYTES 65536u

struct hal_shadow {
	struct base_list all;
	struct sim_entity *entity;
	struct hal_context own;     /* its loop, while the task runs here */
	struct hal_stack own_stack; /* of an attached one; a created one has its entity's stack */
	struct hal_context *run;    /* given by hal_shadow_run() */
	void *owner;
	unsigned priority;
	int notice;
	bool attached;
	bool signalled;
	bool told; /* the owner was told of a signal since the shadow parked */
	bool ending;
};

static struct base_list shadows = {&shadows, &shadows};

static void park(struct hal_shadow *shadow)
{
	shadow->told = false;
	while (!shadow->run && !shadow->ending) {
		if (shadow->signalled) {
			shadow->signalled = false;
			shadow->told = true;
			nuc_upcall_shadow_signal(shadow->owner);
			continue;
		}
		sim_engine_wait(SIM_POINT_SHADOW, SIM_PARKED, SIM_NEVER);
	}
}

/* An attached shadow gets here first when its task parks it. */
static void shadow_main(void *arg)
{
	struct hal_shadow *shadow = arg;

	if (shadow->attached)
		nuc_upcall_parked(shadow->owner);
	for (;;) {
		struct hal_context *context;

		park(shadow);
		if (shadow->ending)
			break;
		context = shadow->run;
		shadow->run = NULL;
		if (shadow->told)
			nuc_upcall_handlers(0);
		shadow->entity->context = context;
		hal_arch_switch(&shadow->own, context);
		nuc_upcall_parked(shadow->owner);
	}
	base_list_unlink(&shadow->all);
	free(shadow);
}

int hal_shadow_create(struct hal_shadow **shadow, void *owner, unsigned priority, const char *name)
{
	struct hal_shadow *made = calloc(1, sizeof(*made));
	struct sim_entity *entity = sim_entity_new();

	if (!made || !entity)
		goto no_memory;
	made->entity = entity;
	made->owner = owner;
	made->priority = priority;
	if (sim_entity_start(entity, SIM_SHADOW, sim_engine.next_id, name, SHADOW_STACK_BYTES,
			     shadow_main, made))
		goto no_memory;
	entity->shadow = made;
	entity->context = &made->own;
	sim_engine.next_id++;
	base_list_push_back(&made->all, &shadows);
	*shadow = made;
	sim_engine_point(SIM_POINT_SHADOW);
	return 0;

no_memory:
	free(entity);
	free(made);
	return -TACT_ENOMEM;
}

int hal_shadow_attach(struct hal_shadow **shadow, void *owner, unsigned priority)
{
	struct sim_entity *self = sim_engine.current;
	struct hal_shadow *made;

	if (sim_foreign() || self->kind != SIM_LINUX)
		return -TACT_EBUSY;
	made = calloc(1, sizeof(*made));
	if (!made)
		return -TACT_ENOMEM;
	if (sim_stack_map(SHADOW_STACK_BYTES, &made->own_stack)) {
		free(made);
		return -TACT_ENOMEM;
	}
	made->entity = self;
	made->owner = owner;
	made->priority = priority;
	made->attached = true;
	hal_arch_prepare(&made->own, made->own_stack.base, made->own_stack.bytes, 0, shadow_main,
			 made);
	self->kind = SIM_SHADOW;
	self->shadow = made;
	base_list_push_back(&made->all, &shadows);
	*shadow = made;
	sim_engine_point(SIM_POINT_SHADOW);
	return 0;
}

void hal_shadow_own(struct hal_shadow *shadow, void *owner)
{
	shadow->owner = owner;
}

/* The loop of an attached shadow is suspended inside a switch, and is simply abandoned. */
static void forget_attached(struct hal_shadow *shadow)
{
	shadow->entity->kind = SIM_LINUX;
	shadow->entity->shadow = NULL;
	shadow->entity->context = NULL;
	base_list_unlink(&shadow->all);
	hal_arch_discard(&shadow->own);
	hal_stack_put(&shadow->own_stack);
	free(shadow);
}

/* When main() exits, no other thread of the simulation runs any more. */
void hal_shadows_exit(void)
{
}

void hal_shadow_release(struct hal_shadow *shadow)
{
	if (sim_engine.current != shadow->entity || !shadow->attached)
		hal_panic("hal_shadow_release: the caller is not this attached shadow");
	forget_attached(shadow);
	sim_engine_point(SIM_POINT_SHADOW);
}

/* A shadow that is about to park finds by itself the context that it was given. */
static void wake(struct hal_shadow *shadow, uint64_t latency_ns)
{
	if (shadow->entity->wait == SIM_PARKED)
		sim_engine_make_due(shadow->entity,
				    sim_add_ns(sim_engine.now_ns, sim_perturb_latency(latency_ns)));
}

void hal_shadow_destroy(struct hal_shadow *shadow, const struct hal_context *context)
{
	(void)context;
	shadow->ending = true;
	wake(shadow, 0);
	sim_cpu_point(SIM_POINT_SHADOW);
}

/* Here the upcall is a single step as seen by all other entities. */
bool hal_shadow_may_signal(const struct hal_shadow *shadow)
{
	(void)shadow;
	return false;
}

/* Only tasks make virtual calls, never the C library. */
bool hal_linux_call_is_inner(long number)
{
	(void)number;
	return false;
}

void *hal_shadow_owner(void)
{
	struct hal_shadow *shadow = sim_foreign() ? NULL : sim_engine.current->shadow;

	return shadow ? shadow->owner : NULL;
}

void hal_shadow_run(struct hal_shadow *shadow, struct hal_context *context, unsigned priority)
{
	shadow->priority = priority;
	shadow->run = context;
	wake(shadow, sim_run.options.costs.dispatch_ns);
	sim_cpu_point(SIM_POINT_SHADOW);
}

void hal_shadow_park(struct hal_shadow *shadow, struct hal_context *context)
{
	if (sim_engine.current != shadow->entity)
		hal_panic("hal_shadow_park: the caller is not on this shadow");
	sim_engine_point(SIM_POINT_SHADOW);
	shadow->entity->context = &shadow->own;
	hal_arch_switch(context, &shadow->own);
	/* The task is on a real-time CPU again, stalled; or back on the shadow without having left
	 * it. */
	sim_shadow_notice();
}

/* There are no files in virtual time. */
int hal_shadow_watch(struct hal_shadow *shadow, int fd, void *watch)
{
	(void)shadow;
	(void)fd;
	(void)watch;
	return -TACT_ENOTSUP;
}

void hal_shadow_unwatch(struct hal_shadow *shadow, int fd)
{
	(void)shadow;
	(void)fd;
}

uint64_t hal_shadow_mask(const struct hal_shadow *shadow)
{
	(void)shadow;
	return 0;
}

void hal_shadow_set_priority(struct hal_shadow *shadow, unsigned priority)
{
	shadow->priority = priority;
}

void hal_shadows_rebalance(uint32_t rounds, unsigned kept)
{
	(void)rounds;
	(void)kept;
}

bool hal_shadows_have_capacity(unsigned priority)
{
	(void)priority;
	return true;
}

uint32_t hal_shadow_tid(const struct hal_shadow *shadow)
{
	(void)shadow;
	return 0;
}

void hal_shadow_signal(struct hal_shadow *shadow, int reason)
{
	shadow->notice = reason;
}

/* This runs in the task's own flow, so that a handler's backtrace shows the call that left primary
 * mode. */
void sim_shadow_notice(void)
{
	struct hal_shadow *shadow = sim_engine.current->shadow;
	union sigval value;

	if (!shadow || !shadow->notice)
		return;
	value.sival_int = shadow->notice;
	shadow->notice = 0;
	pthread_sigqueue(pthread_self(), SIGXCPU, value);
}

static struct hal_shadow *find(const void *owner)
{
	base_list_for_each(node, &shadows) {
		struct hal_shadow *shadow = base_container_of(node, struct hal_shadow, all);

		if (shadow->owner == owner)
			return shadow;
	}
	return NULL;
}

const void *hal_sim_owner(void)
{
	return hal_shadow_owner();
}

int hal_sim_signal(const void *owner)
{
	struct hal_shadow *shadow = find(owner);

	if (!shadow)
		return -TACT_ESRCH;
	if (shadow->entity->wait != SIM_PARKED)
		return -TACT_EAGAIN;
	shadow->signalled = true;
	wake(shadow, sim_run.options.costs.linux_wake_ns);
	sim_cpu_point(SIM_POINT_SHADOW);
	return 0;
}

int hal_sim_shadow_priority(const void *owner)
{
	struct hal_shadow *shadow = find(owner);

	return shadow ? (int)shadow->priority : -TACT_ESRCH;
}

void sim_shadow_remove_all(void)
{
	base_list_for_each_safe(node, &shadows) {
		struct hal_shadow *shadow = base_container_of(node, struct hal_shadow, all);

		if (shadow->attached) {
			forget_attached(shadow);
			continue;
		}
		base_list_unlink(&shadow->all);
		sim_entity_remove(shadow->entity);
		free(shadow);
	}
}
