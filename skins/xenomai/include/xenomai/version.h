/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The release of Xenomai that has these interfaces, as numbers that can be compared. */
#ifndef XENOMAI_VERSION_H
#define XENOMAI_VERSION_H

#include <xeno_config.h>

#define XENO_VERSION(major, minor, revision) (((major) << 16) | ((minor) << 8) | (revision))
#define XENO_VERSION_CODE                                                  \
	XENO_VERSION(CONFIG_XENO_VERSION_MAJOR, CONFIG_XENO_VERSION_MINOR, \
		     CONFIG_XENO_REVISION_LEVEL)
#define XENO_VERSION_STRING CONFIG_XENO_VERSION_STRING

#endif
