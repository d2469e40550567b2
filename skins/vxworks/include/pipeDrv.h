/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes: queues of messages that are read and written as files. */
#ifndef VXWORKS_PIPEDRV_H
#define VXWORKS_PIPEDRV_H

#include <ioLib.h>
#include <iosLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Newer versions give it a number of pipes. */
#ifdef __cplusplus
STATUS pipeDrv(...);
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
STATUS pipeDrv();
#pragma GCC diagnostic pop
#endif
STATUS pipeDevCreate(const char *name, int nMessages, int nBytes);
/* force: also if files of it are open, or tasks wait for it. */
STATUS pipeDevDelete(const char *name, BOOL force);

#ifdef __cplusplus
}
#endif

#endif
