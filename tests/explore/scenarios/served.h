/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What scenarios of ports share: a server at its end. */
#ifndef SCENARIOS_SERVED_H
#define SCENARIOS_SERVED_H

#include "explore/scenario.h"

/* The priority of its last client is taken away from a server, if need be by a message. */
static inline void served_all(const struct explore_actor *server)
{
	if (!server->task.id)
		return;
	for (int i = 0; i < 100; i++) {
		struct explore_status status;

		if (explore_status(server->task, &status) &&
		    status.priority == status.base_priority)
			return;
		explore_pause(100 * EXPLORE_MS);
	}
	explore_fail("a server keeps the priority that it served at");
}

#endif
