/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs read of Xenomai's configuration. */
#ifndef XENO_CONFIG_H
#define XENO_CONFIG_H

/* ns: the period of a test program that was told none. */
#define CONFIG_XENO_DEFAULT_PERIOD 100000

#endif
