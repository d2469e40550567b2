/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clocks of the machine: the system clock, whose ticks are the unit of timeouts, and another.
 */
#ifndef VXWORKS_SYSLIB_H
#define VXWORKS_SYSLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SYS_CLK_RATE_MIN 1
#define SYS_CLK_RATE_MAX 1000000
#define AUX_CLK_RATE_MIN 1
#define AUX_CLK_RATE_MAX 1000000

int sysClkRateGet(void);
STATUS sysClkRateSet(int ticksPerSecond);
STATUS sysClkConnect(FUNCPTR routine, _Vx_usr_arg_t arg);
void sysClkEnable(void);
void sysClkDisable(void);

int sysAuxClkRateGet(void);
STATUS sysAuxClkRateSet(int ticksPerSecond);
STATUS sysAuxClkConnect(FUNCPTR routine, _Vx_usr_arg_t arg);
void sysAuxClkEnable(void);
void sysAuxClkDisable(void);

char *sysModel(void);
char *sysBspRev(void);

#ifdef __cplusplus
}
#endif

#endif
