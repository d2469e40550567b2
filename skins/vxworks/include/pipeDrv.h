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

STATUS pipeDrv(void);
STATUS pipeDevCreate(const char *name, int nMessages, int nBytes);
/* force: also if files of it are open, or tasks wait for it. */
STATUS pipeDevDelete(const char *name, BOOL force);

#ifdef __cplusplus
}
#endif

#endif
