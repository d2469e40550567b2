/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The four spare words of each task: see taskInfo.h. */
#ifndef VXWORKS_TASKUTILLIB_H
#define VXWORKS_TASKUTILLIB_H

#include <taskLib.h>

typedef int SPARE_NUM;

#endif
