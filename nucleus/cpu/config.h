/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The configuration with the defaults, and with the values that the environment overrides. */
#ifndef NUC_CONFIG_H
#define NUC_CONFIG_H

#include <tactus/start.h>

/* 0, or -TACT_EINVAL with a sentence in reason. Context: linux. */
int nuc_config_resolve(const struct tact_config *given, struct tact_config *wanted, char *reason);

#endif
