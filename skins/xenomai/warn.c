/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The handler of SIGDEBUG until the program has its own. */
#include "warn.h"

#include <stdlib.h>

static int is_marked(const siginfo_t *info)
{
	const unsigned int value = (unsigned int)info->si_value.sival_int;

	return info->si_code == SI_QUEUE && (value & 0xffff0000u) == (unsigned int)TACT_SWITCH_MARK;
}

void skin_warned(int signal, siginfo_t *info, void *context)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};

	(void)context;
	if (is_marked(info))
		return;
	(void)sigaction(signal, &usual, NULL);
	(void)raise(signal);
}

__attribute__((constructor)) static void install(void)
{
	const struct sigaction ours = {.sa_sigaction = skin_warned,
				       .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigaction now;

	if (!sigaction(SIGXCPU, NULL, &now) && !(now.sa_flags & SA_SIGINFO) &&
	    now.sa_handler == SIG_DFL)
		(void)sigaction(SIGXCPU, &ours, NULL);
}
