/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Synchronous messages: each question gets its own answer or an error, even if a wait times out,
 * and a server is as urgent as the client that it serves, and no longer than it serves it.
 */
#include "served.h"

static tact_port_t port;
static uint32_t clients_left;
static bool patient; /* no client gives up: so the conditions for a served client hold */

static void ask(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint64_t question = (uint64_t)self->index << 32 | i, answer = 0;
		tact_timeout_t timeout = patient ? TACT_FOREVER : tact_in(1 + explore_below(30000));
		int result = tact_port_send(port, &question, sizeof(question), &answer,
					    sizeof(answer), timeout);

		explore_check(self);
		if (result == sizeof(answer))
			must(answer == question + 1, "asked %llx, answered %llx",
			     (unsigned long long)question, (unsigned long long)answer);
		else
			must(!patient && result == -TACT_ETIMEDOUT, "port_send: %d", result);
		explore_dawdle(1000);
	}
	clients_left--;
}

static void answer(struct explore_actor *self)
{
	while (clients_left) {
		struct tact_port_message info = {0};
		struct explore_status status;
		uint64_t question = 0;
		int result = tact_port_receive(port, &question, sizeof(question), &info,
					       tact_in(1 + explore_below(50000)));

		explore_check(self);
		if (result == -TACT_ETIMEDOUT)
			continue;
		must_equal(result, sizeof(question));
		if (patient && self->task.id && tact_mode() == TACT_MODE_PRIMARY &&
		    explore_status(self->task, &status))
			must(status.priority >= info.priority,
			     "a server at %u serves a client at %u", status.priority,
			     info.priority);
		explore_dawdle(2000);
		question++;
		result = tact_port_reply(port, info.request, &question, sizeof(question));
		must(!result || (!patient && result == -TACT_ESRCH), "port_reply: %d", result);
		explore_check(self);
	}
	served_all(self);
}

EXPLORE(ports, 1, 3, "questions and answers between clients and servers on several CPUs")
{
	uint32_t clients = explore_between(1, 5);
	struct tact_port_info info = {0};

	patient = explore_chance(2);
	must_succeed(tact_port_create(NULL, explore_any_flags(), &port));
	clients_left = clients;
	for (uint32_t i = explore_between(1, 3); i; i--)
		explore_anyone(5, answer, 0);
	for (uint32_t i = 0; i < clients; i++) {
		if (explore_chance(5))
			explore_thread(ask, explore_between(1, 8));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 15), ask,
				     explore_between(1, 8));
	}
	explore_join_all();
	must_succeed(tact_port_inquire(port, &info));
	must_equal(info.clients + info.serving + info.servers, 0);
	must_succeed(tact_port_delete(port));
}
