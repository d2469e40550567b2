/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of the program, with which the first service that needs the nucleus starts it. */
#include "remote.h"
#include "print_pool.h"
#include "skin_options.h"

#include <stdlib.h>

const char skin_version[] = "Alchemy skin of Tactus " ALCHEMY_VERSION;

void skin_options_taken(void)
{
	if (skin_options.tick_ns)
		runtime_set_rate(&alchemy_ticks, (uint32_t)skin_options.tick_ns, 1);
}

const char *alchemy_session_label(void)
{
	const char *label = skin_options.session ? skin_options.session : getenv("TACTUS_SESSION");

	return label && *label ? label : NULL;
}

static void configure(struct tact_config *config, bool *quiet)
{
	config->cpus = skin_options.cpus;
	config->linux_cpu = skin_options.cpus ? skin_options.cpu : NULL;
	config->pool_bytes = skin_options.pool_bytes;
	*quiet = skin_options.quiet;
	print_pool_start();
}

const struct runtime_program alchemy_program = {"alchemy:main", configure};
