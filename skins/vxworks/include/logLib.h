/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages from any context, printed in their order by a task. */
#ifndef VXWORKS_LOGLIB_H
#define VXWORKS_LOGLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

int logMsg(char *fmt, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3,
	   _Vx_usr_arg_t arg4, _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6);
STATUS logInit(int fd, int maxMsgs);
void logFdSet(int fd);
STATUS logFdAdd(int fd);
STATUS logFdDelete(int fd);

#ifdef __cplusplus
}
#endif

#endif
