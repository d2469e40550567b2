/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of Tactus, by calls that no function of the program can replace. */
#define _GNU_SOURCE
#include "posix/state/say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tactus/tact.h>

#include "posix/state/options.h"

/* One write, so that lines of several processes do not mix. */
void posix_say(const char *text)
{
	char line[TACT_REASON_BYTES + 80];
	int bytes = snprintf(line, sizeof(line), "tactus: %s: %s\n", program_invocation_short_name,
			     text);

	if (bytes >= (int)sizeof(line)) {
		bytes = sizeof(line) - 1;
		line[bytes - 1] = '\n';
	}
	if (bytes > 0 && write(STDERR_FILENO, line, (size_t)bytes) < 0)
		return;
}

void posix_say_plain(const char *text)
{
	char required[TACT_REASON_BYTES + 80];

	if (!posix_real_time_is_required()) {
		posix_say(text);
		return;
	}
	if (!strncmp(text, POSIX_RUNS_PLAIN, strlen(POSIX_RUNS_PLAIN)))
		text += strlen(POSIX_RUNS_PLAIN);
	snprintf(required, sizeof(required), "real time is required: %s", text);
	posix_say(required);
	_exit(POSIX_REQUIRED_STATUS);
}
