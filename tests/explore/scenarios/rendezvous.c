/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls with patterns, servers that select by pattern and by sender, and requests that are passed
 * on, in chains, to another port or to the same one. Each question has one answer, of its last
 * server; the number before a forward is not valid any more; a server is as urgent as the client
 * that it serves, and not longer; at rest no server accepts a waiting client.
 */
#include "served.h"

#define PORTS    2u
#define PATTERNS 3u /* bits */

static tact_port_t port[PORTS];
static uint32_t clients_left;
static bool patient; /* no client gives up */

struct question {
	uint64_t number;
	uint64_t stations; /* servers that have passed it on */
};

static uint64_t some_pattern(void)
{
	return 1 + explore_below((1u << PATTERNS) - 1);
}

static void ask(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		struct question question = {(uint64_t)self->index << 32 | i, 0}, answer = {0, 0};
		struct tact_call_rule rule = {.size = sizeof(rule), .pattern = some_pattern()};
		tact_timeout_t timeout = patient ? TACT_FOREVER : tact_in(1 + explore_below(30000));
		int result;

		if (explore_chance(3))
			rule.flags = TACT_CALL_UNTIL_RECEIVED;
		if (rule.flags && !patient && explore_chance(3))
			timeout = TACT_NOWAIT;
		result = tact_port_call(port[explore_below(PORTS)], &rule, &question,
					sizeof(question), &answer, sizeof(answer), timeout);
		explore_check(self);
		if (result == sizeof(answer))
			must(answer.number == question.number + 1, "asked %llx, answered %llx",
			     (unsigned long long)question.number,
			     (unsigned long long)answer.number);
		else
			must(!patient && (result == -TACT_ETIMEDOUT || result == -TACT_EAGAIN),
			     "port_call: %d", result);
		explore_dawdle(1000);
	}
	clients_left--;
}

static void expect_priority(const struct explore_actor *self, uint32_t priority)
{
	struct explore_status status;

	if (patient && self->task.id && tact_mode() == TACT_MODE_PRIMARY &&
	    explore_status(self->task, &status))
		must(status.priority >= priority, "a server at %u serves a client at %u",
		     status.priority, priority);
}

static bool gone(int result)
{
	return !patient && result == -TACT_ESRCH;
}

/* Pass the request on, with the message or with the same one. */
static void pass_on(uint32_t here, uint64_t request, struct question *question)
{
	const uint32_t there = explore_below(PORTS);
	const bool changes = explore_chance(2);
	int result;

	question->stations++;
	result = tact_port_forward(port[here], request, port[there], some_pattern(),
				   changes ? question : NULL, changes ? sizeof(*question) : 0);
	must(!result || gone(result), "port_forward: %d", result);
	must_equal(tact_port_reply(port[here], request, NULL, 0), -TACT_ESRCH);
}

static int accept_one(struct explore_actor *self, uint32_t here, struct question *question,
		      struct tact_port_message *info)
{
	struct tact_accept_rule rule = {.size = sizeof(rule), .pattern = some_pattern()};
	const struct explore_actor *wanted = explore_actor(explore_below(explore_actors()));
	int result;

	if (explore_chance(4))
		rule.sender = wanted->task;
	/* The last pattern of all is any, so that every question finds its server. */
	if (explore_chance(2))
		rule.pattern = UINT64_MAX;
	result = tact_port_accept(port[here], &rule, question, sizeof(*question), info,
				  tact_in(1 + explore_below(50000)));
	explore_check(self);
	if (result >= 0 && rule.sender.id)
		must_equal(info->sender.id, rule.sender.id);
	return result;
}

static void look_at(uint32_t here)
{
	const struct tact_accept_rule rule = {
		.size = sizeof(rule), .flags = TACT_ACCEPT_LOOK, .pattern = some_pattern()};
	struct tact_port_message info = {0};
	struct question question;
	int result = tact_port_accept(port[here], &rule, &question, sizeof(question), &info,
				      TACT_NOWAIT);

	must(result == -TACT_EAGAIN || (result == sizeof(question) && !info.request),
	     "a look gave %d", result);
}

static void answer(struct explore_actor *self)
{
	while (clients_left) {
		const uint32_t here = explore_below(PORTS);
		struct tact_port_message info = {0};
		struct question question = {0, 0};
		int result;

		if (explore_chance(4))
			look_at(here);
		result = accept_one(self, here, &question, &info);
		if (result == -TACT_ETIMEDOUT)
			continue;
		must_equal(result, sizeof(question));
		expect_priority(self, info.priority);
		explore_dawdle(2000);
		if (question.stations < 4 && explore_chance(2)) {
			pass_on(here, info.request, &question);
			explore_check(self);
			continue;
		}
		question.number++;
		result = tact_port_reply(port[here], info.request, &question, sizeof(question));
		must(!result || gone(result), "port_reply: %d", result);
		explore_check(self);
	}
	served_all(self);
}

/* A client that does not give up, and a server that does not accept it: neither moves. Then a
 * server that does. */
static struct tact_call_rule kept = {.size = sizeof(kept)};
static struct tact_accept_rule keeper = {.size = sizeof(keeper)};
static bool kept_is_back, keeper_is_back;

static void stay_client(struct explore_actor *self)
{
	must_equal(tact_port_call(port[0], &kept, NULL, 0, NULL, 0, TACT_FOREVER), 0);
	kept_is_back = true;
	explore_check(self);
}

static void stay_server(struct explore_actor *self)
{
	struct tact_port_message info = {0};

	must_equal(tact_port_accept(port[0], &keeper, NULL, 0, &info, TACT_FOREVER), 0);
	explore_dawdle(2000);
	must_succeed(tact_port_reply(port[0], info.request, NULL, 0));
	keeper_is_back = true;
	explore_check(self);
}

static void rest_with_two(void)
{
	struct tact_port_message info = {0};
	struct explore_actor *client, *server;

	kept.pattern = some_pattern();
	keeper.pattern = some_pattern();
	client = explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), stay_client,
			      0);
	server = explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), stay_server,
			      0);
	explore_rest();
	must_equal(kept_is_back, (kept.pattern & keeper.pattern) != 0);
	must_equal(keeper_is_back, kept_is_back);
	if (!kept_is_back) {
		/* Passed on to where the server accepts it, or answered. */
		must_equal(tact_port_receive(port[0], NULL, 0, &info, TACT_NOWAIT), 0);
		must_succeed(
			tact_port_forward(port[0], info.request, port[0], keeper.pattern, NULL, 0));
	}
	explore_join(client);
	explore_join(server);
}

EXPLORE(rendezvous, 1, 3, "questions passed on between servers that select: one answer each")
{
	const uint32_t clients = explore_between(1, 5), home = explore_any_cpu();

	patient = explore_chance(2);
	for (uint32_t i = 0; i < PORTS; i++)
		must_succeed(tact_port_create(
			NULL, (explore_chance(2) ? TACT_PRIO : TACT_FIFO) | TACT_ON_CPU(home),
			&port[i]));
	rest_with_two();
	clients_left = clients;
	for (uint32_t i = explore_between(1, 3); i; i--)
		explore_anyone(5, answer, 0);
	for (uint32_t i = 0; i < clients; i++) {
		if (explore_chance(5))
			explore_thread(ask, explore_between(1, 6));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 15), ask,
				     explore_between(1, 6));
	}
	explore_join_all();
	for (uint32_t i = 0; i < PORTS; i++) {
		struct tact_port_info info = {0};

		must_succeed(tact_port_inquire(port[i], &info));
		must_equal(info.clients + info.serving + info.servers, 0);
		must_succeed(tact_port_delete(port[i]));
	}
}
