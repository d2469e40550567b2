/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Claims: see claim.h. A change of urgency walks from lock to owner to the lock that the owner
 * waits for; within a CPU the walk is a loop over a list, so that a chain of any length needs no
 * stack.
 */
#include "sync/claim.h"

#include "task/priority.h"
#include "task/server_level.h"

/* Claims of this CPU's locks whose owners are to be told. */
struct walk {
	_Alignas(64) struct nuc_claim *first;
	struct nuc_claim *last;
	bool running;
};

static struct walk walks[HAL_MAX_CPUS];

/* On the task's CPU, which alone writes that the claim is linked to it, or no longer. */
static bool is_linked(const struct nuc_task *task, const struct nuc_claim *claim)
{
	return atomic_load_explicit(&claim->linked_to, memory_order_relaxed) == task;
}

struct nuc_claim *nuc_claim_find(const struct nuc_task *task, uint32_t handle,
				 const struct nuc_claim_ops *ops)
{
	base_list_for_each(link, &task->holds.all) {
		struct nuc_hold *hold = base_container_of(link, struct nuc_hold, link);
		struct nuc_claim *claim = base_container_of(hold, struct nuc_claim, hold);

		if (claim->handle == handle && claim->ops == ops)
			return claim;
	}
	return NULL;
}

static void settle_dropped(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	if (!claim->owner && !claim->look_out)
		claim->ops->dropped(cpu, claim);
}

/* The owner does not have it any more, and no call of its says so. */
static void came_back(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	claim->owner = 0;
	if (claim->dropping)
		settle_dropped(cpu, claim);
	else
		claim->ops->orphaned(cpu, claim);
}

static void back_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	came_back(cpu, base_container_of(message, struct nuc_claim, back));
}

void nuc_claim_give_back(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	if (claim->home == cpu) {
		came_back(cpu, claim);
		return;
	}
	claim->back.deliver = back_arrive;
	nuc_message_send(claim->home, &claim->back);
}

static void orphan(struct nuc_cpu *cpu, struct nuc_hold *hold)
{
	struct nuc_claim *claim = base_container_of(hold, struct nuc_claim, hold);

	atomic_store_explicit(&claim->linked_to, NULL, memory_order_relaxed);
	nuc_claim_give_back(cpu, claim);
}

void nuc_claim_init(struct nuc_cpu *cpu, struct nuc_claim *claim, uint32_t handle,
		    const struct nuc_claim_ops *ops)
{
	claim->ops = ops;
	claim->home = cpu;
	claim->handle = handle;
	claim->hold.orphan = orphan;
	base_list_init(&claim->hold.link);
}

/* What is wanted, by the word that was read. */
static void take_wanted(struct nuc_task *task, struct nuc_claim *claim, uint32_t wanted)
{
	struct nuc_urgency urgency = {0, wanted};

	if (wanted)
		urgency.deadline_ns =
			atomic_load_explicit(&claim->wanted_deadline_ns, memory_order_relaxed);
	nuc_hold_demand(&task->holds, &claim->hold, urgency);
}

/* One that has ended does not run, but may have much to give back yet. */
static void follow_demand(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (__builtin_expect(task->state & TACT_TASK_STATE_ENDED, 0))
		nuc_server_demand(cpu, nuc_holds_demand(&task->holds).priority);
	else
		nuc_task_update_priority(cpu, task);
}

bool nuc_claim_link(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_claim *claim)
{
	uint32_t wanted = atomic_load_explicit(&claim->wanted, memory_order_relaxed);

	if (__builtin_expect(wanted == NUC_CLAIM_DROP, 0)) {
		nuc_claim_give_back(cpu, claim);
		return false;
	}
	nuc_claim_link_plain(task, claim);
	take_wanted(task, claim, wanted);
	/* Even when it is no more than the task has: it lets one that is throttled run. */
	if (wanted)
		nuc_task_update_priority(cpu, task);
	return true;
}

void nuc_claim_unlink(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_claim *claim)
{
	atomic_store_explicit(&claim->linked_to, NULL, memory_order_relaxed);
	if (nuc_hold_remove(&task->holds, &claim->hold))
		follow_demand(cpu, task);
}

/* On the owner's CPU. A grant that is still on its way will read the same word. */
static void see_to(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_claim *claim)
{
	uint32_t wanted = atomic_load_explicit(&claim->wanted, memory_order_relaxed);

	if (!is_linked(task, claim))
		return;
	if (wanted == NUC_CLAIM_DROP) {
		claim->let_go = true;
		nuc_claim_unlink(cpu, task, claim);
		return;
	}
	take_wanted(task, claim, wanted);
	follow_demand(cpu, task);
}

void nuc_claim_take_from_ended(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	struct nuc_task *task = atomic_load_explicit(&claim->linked_to, memory_order_relaxed);

	/* Acquire: of a task that has come here everything is to be seen. */
	if (!task || atomic_load_explicit(&task->cpu, memory_order_acquire) != cpu ||
	    !(task->state & TACT_TASK_STATE_ENDED) || !is_linked(task, claim))
		return;
	(void)nuc_hold_remove(&task->holds, &claim->hold);
	orphan(cpu, &claim->hold);
}

enum place { HERE, AWAY, ENDED };

/* Where the task is; on AWAY, *at is where to send. */
static enum place place_of(const struct nuc_cpu *cpu, const struct nuc_task *task, uint32_t handle,
			   struct nuc_cpu **at)
{
	*at = atomic_load_explicit(&task->cpu, memory_order_acquire);
	/* After the CPU: a block that is made ready for another task loses its handle first. */
	if (__atomic_load_n(&task->object.handle, __ATOMIC_RELAXED) != handle)
		return ENDED;
	return *at == cpu && !(task->state & TACT_TASK_STATE_MOVING) ? HERE : AWAY;
}

static void look(struct nuc_cpu *cpu, struct nuc_claim *claim);

static void take_let_go(struct nuc_claim *claim)
{
	if (claim->let_go) {
		claim->let_go = false;
		claim->owner = 0;
	}
}

static void look_back(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_claim *claim = base_container_of(message, struct nuc_claim, look);
	bool again = claim->look_again;

	claim->look_out = false;
	claim->look_again = false;
	take_let_go(claim);
	if (again && claim->owner)
		look(cpu, claim);
	if (claim->dropping) {
		take_let_go(claim);
		settle_dropped(cpu, claim);
	}
}

static void look_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_claim *claim = base_container_of(message, struct nuc_claim, look);
	struct nuc_task *task = claim->look_task;
	struct nuc_cpu *at;

	switch (place_of(cpu, task, claim->look_owner, &at)) {
	case AWAY:
		nuc_message_send(at, message);
		return;
	case HERE:
		see_to(cpu, task, claim);
		break;
	case ENDED:
		/* What it owned is on its way home already. */
		break;
	}
	message->deliver = look_back;
	nuc_message_send(claim->home, message);
}

/* Let the owner's CPU see to what is wanted. */
static void look(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	struct nuc_cpu *at;
	enum place place = place_of(cpu, claim->task, claim->owner, &at);

	if (place == HERE)
		see_to(cpu, claim->task, claim);
	if (place != AWAY)
		return;
	if (claim->look_out) {
		claim->look_again = true;
		return;
	}
	claim->look_out = true;
	claim->look_task = claim->task;
	claim->look_owner = claim->owner;
	claim->look.deliver = look_arrive;
	nuc_message_send(at, &claim->look);
}

static void walk_push(struct walk *walk, struct nuc_claim *claim)
{
	if (claim->queued)
		return;
	claim->queued = true;
	claim->next = NULL;
	if (walk->first)
		walk->last->next = claim;
	else
		walk->first = claim;
	walk->last = claim;
}

void nuc_claim_want(struct nuc_cpu *cpu, struct nuc_claim *claim, struct nuc_urgency urgency)
{
	struct walk *walk = &walks[cpu->hal.index];

	if (atomic_load_explicit(&claim->wanted, memory_order_relaxed) == urgency.priority &&
	    (!urgency.priority ||
	     atomic_load_explicit(&claim->wanted_deadline_ns, memory_order_relaxed) ==
		     urgency.deadline_ns))
		return;
	/* Relaxed: read when a message that is sent after this, or the grant, arrives. */
	atomic_store_explicit(&claim->wanted, urgency.priority, memory_order_relaxed);
	atomic_store_explicit(&claim->wanted_deadline_ns, urgency.deadline_ns,
			      memory_order_relaxed);
	walk_push(walk, claim);
	if (walk->running)
		return;
	walk->running = true;
	while ((claim = walk->first)) {
		walk->first = claim->next;
		claim->queued = false;
		look(cpu, claim);
	}
	walk->running = false;
}

void nuc_claim_drop(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	claim->dropping = true;
	if (claim->owner) {
		atomic_store_explicit(&claim->wanted, NUC_CLAIM_DROP, memory_order_relaxed);
		look(cpu, claim);
		/* Found here; but a message that is out still needs the claim. */
		take_let_go(claim);
	}
	settle_dropped(cpu, claim);
}
