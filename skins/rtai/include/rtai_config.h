/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How RTAI would have been configured. */
#ifndef TACTUS_RTAI_CONFIG_H
#define TACTUS_RTAI_CONFIG_H

#define CONFIG_RTAI_USE_NEWERR     1
#define CONFIG_RTAI_FPU_SUPPORT    1
#define CONFIG_RTAI_ONE_SHOT       1
#define CONFIG_RTAI_RT_POLL        1
#define CONFIG_RTAI_TSC            1
#define CONFIG_RTAI_FIFOS_TEMPLATE "/dev/rtf%d"
#define CONFIG_RTAI_REVISION_LEVEL 3
#define CONFIG_RTAI_VERSION_MAJOR  5
#define CONFIG_RTAI_VERSION_MINOR  3

#endif
