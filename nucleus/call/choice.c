/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Choices: see choice.h. The home of a choice knows which alternatives are queued once the walk is
 * back, and does nothing about them before. From then on each event at the home (an answer, an
 * update that comes back, the end of the caller's wait) goes through step().
 */
#include "call/choice.h"

#include "call/batch.h"
#include "call/reply.h"
#include "call/wait.h"
#include "kernel/delivery.h"
#include "kernel/handle_table.h"
#include "task/task.h"

/*
 * Alternatives that are queued or withdrawn in one section, at some 200 instructions each. The rest
 * follows by message, in the next event of the CPU. A place in a long queue by priority counts as
 * more than one, by the calls that may have to be passed: see cost_of().
 */
#define PIECE  4u
#define PASSED 16u

static struct nuc_choice *choice_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_choice, call);
}

static uint32_t taken_by(const struct nuc_choice *choice)
{
	return atomic_load_explicit(&choice->taken, memory_order_acquire);
}

static bool is_waiting(const struct nuc_alternative *alternative)
{
	return alternative->queued && !alternative->answered;
}

static int result_of(const struct nuc_choice *choice)
{
	const uint32_t taken = taken_by(choice);

	return taken == NUC_CHOICE_BREAK ? choice->broken
					 : choice->alternatives[taken - 1].call.result;
}

/* The instant before which the wait does not end: see nuc_call.due_ns. */
static uint64_t due_of(const struct nuc_cpu *cpu, const struct nuc_choice *choice)
{
	const uint32_t taken = taken_by(choice);

	if (taken == NUC_CHOICE_BREAK || !choice->alternatives[taken - 1].queued)
		return cpu->expiry.earliest_ns;
	return choice->alternatives[taken - 1].call.due_ns;
}

/* All is back: complete the call, unless the caller does so after this. */
static void finish(struct nuc_cpu *cpu, struct nuc_choice *choice)
{
	struct nuc_call *call = &choice->call;

	if (choice->inside) {
		call->pinned = 0;
		return;
	}
	if (call->holder)
		nuc_wait_leave(cpu, call);
	call->result = result_of(choice);
	if (!call->completed)
		call->due_ns = due_of(cpu, choice);
	call->completed = 1;
	nuc_call_unpin(cpu, call);
}

/*
 * The choice of an alternative that waits on this CPU has ended by something else. If the wait is
 * over, the alternative leaves its batch; one that is in no batch yet is answered by the end of the
 * section.
 */
static void withdraw(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (nuc_wait_is_over(call))
		nuc_batch_leave(cpu, call, NUC_LOST);
	else
		nuc_wait_break(cpu, call, NUC_LOST);
}

static void step(struct nuc_cpu *cpu, struct nuc_choice *choice);
static void update_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

static void update_send(struct nuc_choice *choice, struct nuc_alternative *alternative)
{
	struct nuc_call *call = &alternative->call;

	choice->away++;
	call->update_flying = 1;
	call->update_again = 0;
	call->update_urgency = choice->call.urgency;
	call->update.deliver = update_arrive;
	nuc_message_send(&nuc_cpus[nuc_handle_cpu(call->handle)], &call->update);
}

static void update_back(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, update);
	struct nuc_alternative *alternative = nuc_alternative_of(call);

	alternative->choice->away--;
	call->update_flying = 0;
	if (call->update_again && is_waiting(alternative))
		update_send(alternative->choice, alternative);
	step(cpu, alternative->choice);
}

static void update_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, update);
	struct nuc_choice *choice = nuc_alternative_of(call)->choice;

	/* A call without a holder has already been answered. */
	if (call->holder && nuc_alternative_is_lost(call))
		withdraw(cpu, call);
	else if (call->holder)
		nuc_wait_reprioritize(cpu, call, call->update_urgency);
	if (choice->home == cpu) {
		update_back(cpu, message);
		return;
	}
	call->update.deliver = update_back;
	nuc_message_send(choice->home, &call->update);
}

/*
 * May it be withdrawn in the section that ends the choice? Not if other calls of its queue could
 * then be served: they could end further choices, and so on. Each of these has an event of its own.
 */
static bool goes_at_once(const struct nuc_cpu *cpu, const struct nuc_call *call)
{
	return nuc_handle_cpu(call->handle) == cpu->hal.index && call->holder &&
	       !(call->queue->ops && call->queue->ops->changed);
}

static void withdraw_all(struct nuc_cpu *cpu, struct nuc_choice *choice)
{
	const uint32_t taken = taken_by(choice);
	uint32_t done = 0;

	for (uint32_t i = 0; i < choice->next; i++) {
		struct nuc_alternative *alternative = &choice->alternatives[i];
		struct nuc_call *call = &alternative->call;

		if (!is_waiting(alternative) || alternative->number == taken)
			continue;
		if (call->update_flying)
			call->update_again = 1;
		else if (done == PIECE || !goes_at_once(cpu, call))
			update_send(choice, alternative);
		else {
			withdraw(cpu, call);
			done++;
		}
	}
}

/* Something has changed at the home. */
static void step(struct nuc_cpu *cpu, struct nuc_choice *choice)
{
	if (choice->busy || taken_by(choice) == NUC_CHOICE_OPEN)
		return;
	if (!choice->withdrawn) {
		choice->withdrawn = 1;
		/* A withdrawn alternative is answered, which calls step() again. */
		choice->busy = 1;
		withdraw_all(cpu, choice);
		choice->busy = 0;
	}
	if (!choice->away)
		finish(cpu, choice);
}

static void answered(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_alternative *alternative = nuc_alternative_of(call);

	alternative->answered = 1;
	alternative->choice->away--;
	step(cpu, alternative->choice);
}

static void answer_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	answered(cpu, base_container_of(message, struct nuc_call, message));
}

static void answer(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	struct nuc_choice *choice = nuc_alternative_of(call)->choice;

	/* Alternatives of a batch have not been claimed before. */
	call->result = nuc_alternative_claim(call) ? result : NUC_LOST;
	call->due_ns = cpu->expiry.earliest_ns;
	if (choice->home == cpu) {
		answered(cpu, call);
		return;
	}
	call->message.deliver = answer_arrive;
	nuc_message_send(choice->home, &call->message);
}

/* The call is broken: this ends the choice, unless it has already ended. */
static void left(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call, int result)
{
	struct nuc_choice *choice = choice_of(call);

	(void)queue;
	if (!nuc_choice_end(&choice->taken, NUC_CHOICE_BREAK))
		return;
	choice->broken = result;
	choice->inside = 1;
	step(cpu, choice);
	choice->inside = 0;
}

static void tell_urgency(struct nuc_choice *choice)
{
	choice->urgent = 0;
	for (uint32_t i = 0; i < choice->next; i++) {
		struct nuc_alternative *alternative = &choice->alternatives[i];

		if (!is_waiting(alternative))
			continue;
		if (alternative->call.update_flying)
			alternative->call.update_again = 1;
		else
			update_send(choice, alternative);
	}
}

static void reprioritized(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	struct nuc_choice *choice = choice_of(call);

	(void)cpu;
	(void)queue;
	choice->urgent = 1;
	if (!choice->busy && taken_by(choice) == NUC_CHOICE_OPEN)
		tell_urgency(choice);
}

static const struct nuc_waitq_ops queue_ops = {.left = left, .reprioritized = reprioritized};

static int take(struct nuc_cpu *cpu, struct nuc_alternative *alternative,
		const struct tact_wait_item *item)
{
	struct nuc_call *call = &alternative->call;
	const struct nuc_type_ops *type;
	int result;
	struct nuc_object *object = nuc_lookup(cpu, call->handle, NUC_TYPE_ANY, &result);

	if (!object)
		return result;
	type = nuc_type_table[object->type];
	if (!type || !type->choice)
		return -TACT_EBADF;
	alternative->ops = type->choice;
	if (item->reserved[0] || item->reserved[1])
		return -TACT_EINVAL;
	return type->choice->take(cpu, object, call, item);
}

static uint32_t cost_of(const struct nuc_waitq *queue)
{
	const uint32_t passed = queue->by_priority ? queue->count : 0;

	return 1 + (passed < NUC_LEVELS ? passed : NUC_LEVELS) / PASSED;
}

/* Look at one item, on the home CPU of its object. An error also ends the choice. Returns the
 * cost. */
static uint32_t look_at(struct nuc_cpu *cpu, struct nuc_choice *choice,
			struct nuc_alternative *alternative, const struct tact_wait_item *item)
{
	int result = nuc_handle_cpu(alternative->call.handle) < nuc_cpu_count
			     ? take(cpu, alternative, item)
			     : -TACT_EBADF;

	if (result == NUC_WAITING) {
		alternative->queued = 1;
		return cost_of(alternative->call.queue);
	}
	if (result != NUC_LOST && !(choice->looks && result == -TACT_EAGAIN) &&
	    nuc_alternative_claim(&alternative->call))
		alternative->call.result = result;
	return 1;
}

static void walk_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

static void walk_on(struct nuc_choice *choice, struct nuc_cpu *to)
{
	choice->walk.deliver = walk_arrive;
	nuc_message_send(to, &choice->walk);
}

/* The walk is back at the home. */
static void walked(struct nuc_cpu *cpu, struct nuc_choice *choice)
{
	choice->busy = 0;
	for (uint32_t i = 0; i < choice->next; i++)
		choice->away += choice->alternatives[i].queued;
	/* Nothing was there. */
	if (choice->looks)
		(void)nuc_choice_end(&choice->taken, NUC_CHOICE_BREAK);
	if (choice->urgent && taken_by(choice) == NUC_CHOICE_OPEN)
		tell_urgency(choice);
	step(cpu, choice);
}

static void walk(struct nuc_cpu *cpu, struct nuc_choice *choice)
{
	uint32_t done = 0;

	while (choice->next < choice->count && taken_by(choice) == NUC_CHOICE_OPEN) {
		struct nuc_alternative *alternative = &choice->alternatives[choice->next];
		const uint32_t at = nuc_handle_cpu(alternative->call.handle);

		/* A handle without a CPU is an error on any CPU. */
		if ((at != cpu->hal.index && at < nuc_cpu_count) || done >= PIECE) {
			walk_on(choice, at < nuc_cpu_count ? &nuc_cpus[at] : cpu);
			return;
		}
		done += look_at(cpu, choice, alternative, &choice->items[choice->next++]);
	}
	if (cpu == choice->home)
		walked(cpu, choice);
	else
		walk_on(choice, choice->home);
}

static void walk_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	walk(cpu, base_container_of(message, struct nuc_choice, walk));
}

static int run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_choice *choice = choice_of(call);
	int result;

	(void)object;
	nuc_waitq_init(&choice->queue, NULL, TACT_FIFO);
	choice->queue.ops = &queue_ops;
	choice->home = cpu;
	result = nuc_wait(cpu, call, &choice->queue);
	/* The call does not wait; it takes what is there. */
	if (result != NUC_WAITING) {
		choice->looks = 1;
		choice->broken = result;
	}
	for (uint32_t i = 0; i < choice->count; i++) {
		struct nuc_call *alternative = &choice->alternatives[i].call;

		alternative->timeout = choice->looks ? TACT_NOWAIT : TACT_FOREVER;
		alternative->task = call->task;
		alternative->origin = NULL;
	}
	call->pinned = 1;
	choice->inside = 1;
	walk(cpu, choice);
	choice->inside = 0;
	if (!call->pinned) {
		if (call->holder)
			nuc_wait_leave(cpu, call);
		return result_of(choice);
	}
	/* Until the walk is back, a call that does not wait cannot be broken. */
	if (choice->looks)
		call->sent = 1;
	return NUC_WAITING;
}

void nuc_choice_init(struct nuc_choice *choice, uint32_t home, struct tact_wait_item *items,
		     struct nuc_alternative *alternatives, uint32_t count)
{
	nuc_call_init(&choice->call, run, NUC_TYPE_CPU, home, NUC_CALL_WAITS | NUC_CALL_TASKS,
		      sizeof(*choice));
	choice->items = items;
	choice->alternatives = alternatives;
	choice->count = count;
	choice->next = 0;
	choice->looks = 0;
	choice->away = 0;
	choice->busy = 1;
	choice->inside = 0;
	choice->urgent = 0;
	choice->withdrawn = 0;
	choice->broken = 0;
	atomic_init(&choice->taken, NUC_CHOICE_OPEN);
	for (uint32_t i = 0; i < count; i++) {
		nuc_call_init(&alternatives[i].call, NULL, NUC_TYPE_ANY, items[i].object.id,
			      NUC_CALL_WAITS, sizeof(alternatives[i]));
		alternatives[i].choice = choice;
		alternatives[i].taken = &choice->taken;
		alternatives[i].answer = answer;
		alternatives[i].ops = NULL;
		alternatives[i].number = i + 1;
		alternatives[i].queued = 0;
		alternatives[i].answered = 0;
	}
}
