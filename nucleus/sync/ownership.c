/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ownerships: see ownership.h. A change of urgency goes from a lock to its owner, and on to the
 * lock that the owner waits for. Within a CPU this walk is a loop over a list, so that a chain of
 * any length needs no stack.
 */
#include "sync/ownership.h"

#include "task/priority.h"
#include "task/safe.h"
#include "task/server_level.h"

/* Ownerships of this CPU's locks whose owners still have to get the new urgency. */
struct walk {
	_Alignas(64) struct nuc_ownership *first;
	struct nuc_ownership *last;
	bool running;
};

static struct walk walks[HAL_MAX_CPUS];

/* On the task's CPU: only this CPU links the ownership to the task, or unlinks it. */
static bool is_linked(const struct nuc_task *task, const struct nuc_ownership *ownership)
{
	return atomic_load_explicit(&ownership->linked_to, memory_order_relaxed) == task;
}

struct nuc_ownership *nuc_ownership_find(const struct nuc_task *task, uint32_t handle,
					 const struct nuc_ownership_ops *ops)
{
	base_list_for_each(link, &task->owned_locks.all) {
		struct nuc_owned_lock *owned_lock =
			base_container_of(link, struct nuc_owned_lock, link);
		struct nuc_ownership *ownership =
			base_container_of(owned_lock, struct nuc_ownership, owned_lock);

		if (ownership->handle == handle && ownership->ops == ops)
			return ownership;
	}
	return NULL;
}

static void settle_dropped(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	if (!ownership->owner && !ownership->apply_out)
		ownership->ops->dropped(cpu, ownership);
}

/* The owner does not own it any more, and no call of the owner reports that. */
static void came_back(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	ownership->owner = 0;
	if (ownership->dropping)
		settle_dropped(cpu, ownership);
	else
		ownership->ops->orphaned(cpu, ownership);
}

static void back_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	came_back(cpu, base_container_of(message, struct nuc_ownership, back));
}

void nuc_ownership_return(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	if (ownership->home == cpu) {
		came_back(cpu, ownership);
		return;
	}
	ownership->back.deliver = back_arrive;
	nuc_message_send(ownership->home, &ownership->back);
}

static void orphan(struct nuc_cpu *cpu, struct nuc_owned_lock *owned_lock)
{
	struct nuc_ownership *ownership =
		base_container_of(owned_lock, struct nuc_ownership, owned_lock);

	atomic_store_explicit(&ownership->linked_to, NULL, memory_order_relaxed);
	nuc_ownership_return(cpu, ownership);
}

void nuc_ownership_init(struct nuc_cpu *cpu, struct nuc_ownership *ownership, uint32_t handle,
			const struct nuc_ownership_ops *ops)
{
	ownership->ops = ops;
	ownership->home = cpu;
	ownership->handle = handle;
	ownership->owned_lock.orphan = orphan;
	base_list_init(&ownership->owned_lock.link);
}

/* Apply what is wanted. wanted: the word as it was read. */
static void take_wanted(struct nuc_task *task, struct nuc_ownership *ownership, uint32_t wanted)
{
	struct nuc_urgency urgency = {0, wanted};

	if (wanted)
		urgency.deadline_ns =
			atomic_load_explicit(&ownership->wanted_deadline_ns, memory_order_relaxed);
	nuc_owned_lock_demand(&task->owned_locks, &ownership->owned_lock, urgency);
}

/* A task that has ended does not run, but its locks may still be passed on by the server. The same
 * is true for a dormant one that owns locks: it restarts. */
#define GIVES_BACK (TACT_TASK_STATE_ENDED | TACT_TASK_STATE_DORMANT)

static void follow_demand(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (__builtin_expect(task->state & GIVES_BACK, 0))
		nuc_server_demand(cpu, nuc_owned_locks_demand(&task->owned_locks).priority);
	else
		nuc_task_update_priority(cpu, task);
}

bool nuc_ownership_link(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_ownership *ownership)
{
	uint32_t wanted = atomic_load_explicit(&ownership->wanted, memory_order_relaxed);

	if (__builtin_expect(wanted == NUC_OWNERSHIP_DROP, 0)) {
		nuc_ownership_return(cpu, ownership);
		return false;
	}
	nuc_ownership_link_plain(task, ownership);
	if (__builtin_expect(ownership->safe, 0))
		nuc_task_protect(task);
	take_wanted(task, ownership, wanted);
	/* Also if the task is as urgent already: the demand lets a throttled task run. */
	if (wanted)
		nuc_task_update_priority(cpu, task);
	return true;
}

void nuc_ownership_unlink(struct nuc_cpu *cpu, struct nuc_task *task,
			  struct nuc_ownership *ownership)
{
	atomic_store_explicit(&ownership->linked_to, NULL, memory_order_relaxed);
	if (__builtin_expect(ownership->safe, 0))
		nuc_task_unprotect(cpu, task);
	if (nuc_owned_lock_remove(&task->owned_locks, &ownership->owned_lock))
		follow_demand(cpu, task);
}

/* On the owner's CPU: apply the word. A grant that is still on its way will read the same word. */
static void see_to(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_ownership *ownership)
{
	uint32_t wanted = atomic_load_explicit(&ownership->wanted, memory_order_relaxed);

	if (!is_linked(task, ownership))
		return;
	if (wanted == NUC_OWNERSHIP_DROP) {
		ownership->lock_dropped = true;
		nuc_ownership_unlink(cpu, task, ownership);
		return;
	}
	take_wanted(task, ownership, wanted);
	follow_demand(cpu, task);
}

void nuc_ownership_take_from_ended(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_task *task = atomic_load_explicit(&ownership->linked_to, memory_order_relaxed);

	/* Acquire: all fields of a task that has come to this CPU must be visible. */
	if (!task || atomic_load_explicit(&task->cpu, memory_order_acquire) != cpu ||
	    !(task->state & GIVES_BACK) || !is_linked(task, ownership))
		return;
	(void)nuc_owned_lock_remove(&task->owned_locks, &ownership->owned_lock);
	orphan(cpu, &ownership->owned_lock);
}

enum location { LOCAL, REMOTE, ENDED };

/* Where is the task? If REMOTE, messages for it go to *at. */
static enum location location_of(const struct nuc_cpu *cpu, const struct nuc_task *task,
				 uint32_t handle, struct nuc_cpu **at)
{
	*at = atomic_load_explicit(&task->cpu, memory_order_acquire);
	/* Read the handle after the CPU: a control block that is made ready for another task loses
	 * its handle first. */
	if (__atomic_load_n(&task->object.handle, __ATOMIC_RELAXED) != handle)
		return ENDED;
	return *at == cpu && !(task->state & TACT_TASK_STATE_MOVING) ? LOCAL : REMOTE;
}

static void apply_wanted(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

static void take_dropped(struct nuc_ownership *ownership)
{
	if (ownership->lock_dropped) {
		ownership->lock_dropped = false;
		ownership->owner = 0;
	}
}

static void apply_back(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_ownership *ownership = base_container_of(message, struct nuc_ownership, apply);
	bool again = ownership->apply_again;

	ownership->apply_out = false;
	ownership->apply_again = false;
	take_dropped(ownership);
	if (again && ownership->owner)
		apply_wanted(cpu, ownership);
	if (ownership->dropping) {
		take_dropped(ownership);
		settle_dropped(cpu, ownership);
	}
}

static void apply_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_ownership *ownership = base_container_of(message, struct nuc_ownership, apply);
	struct nuc_task *task = ownership->apply_task;
	struct nuc_cpu *at;

	switch (location_of(cpu, task, ownership->apply_owner, &at)) {
	case REMOTE:
		nuc_message_send(at, message);
		return;
	case LOCAL:
		see_to(cpu, task, ownership);
		break;
	case ENDED:
		/* The ownership is on its way home already. */
		break;
	}
	message->deliver = apply_back;
	nuc_message_send(ownership->home, message);
}

/* Let the owner's CPU apply what is wanted. */
static void apply_wanted(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_cpu *at;
	enum location location = location_of(cpu, ownership->task, ownership->owner, &at);

	if (location == LOCAL)
		see_to(cpu, ownership->task, ownership);
	if (location != REMOTE)
		return;
	if (ownership->apply_out) {
		ownership->apply_again = true;
		return;
	}
	ownership->apply_out = true;
	ownership->apply_task = ownership->task;
	ownership->apply_owner = ownership->owner;
	ownership->apply.deliver = apply_arrive;
	nuc_message_send(at, &ownership->apply);
}

static void walk_push(struct walk *walk, struct nuc_ownership *ownership)
{
	if (ownership->queued)
		return;
	ownership->queued = true;
	ownership->next = NULL;
	if (walk->first)
		walk->last->next = ownership;
	else
		walk->first = ownership;
	walk->last = ownership;
}

void nuc_ownership_want(struct nuc_cpu *cpu, struct nuc_ownership *ownership,
			struct nuc_urgency urgency)
{
	struct walk *walk = &walks[cpu->hal.index];

	if (atomic_load_explicit(&ownership->wanted, memory_order_relaxed) == urgency.priority &&
	    (!urgency.priority ||
	     atomic_load_explicit(&ownership->wanted_deadline_ns, memory_order_relaxed) ==
		     urgency.deadline_ns))
		return;
	/* Relaxed: the words are read when the grant arrives, or a message that is sent after
	 * this. */
	atomic_store_explicit(&ownership->wanted, urgency.priority, memory_order_relaxed);
	atomic_store_explicit(&ownership->wanted_deadline_ns, urgency.deadline_ns,
			      memory_order_relaxed);
	walk_push(walk, ownership);
	if (walk->running)
		return;
	walk->running = true;
	while ((ownership = walk->first)) {
		walk->first = ownership->next;
		ownership->queued = false;
		apply_wanted(cpu, ownership);
	}
	walk->running = false;
}

void nuc_ownership_drop(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	ownership->dropping = true;
	if (ownership->owner) {
		atomic_store_explicit(&ownership->wanted, NUC_OWNERSHIP_DROP, memory_order_relaxed);
		apply_wanted(cpu, ownership);
		/* The lock was found here; but a message that is under way still needs the
		 * ownership. */
		take_dropped(ownership);
	}
	settle_dropped(cpu, ownership);
}
