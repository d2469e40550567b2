/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registry: the types of its objects. rt_get_adr() and rt_get_name() are in rtai_lxrt.h. */
#ifndef TACTUS_RTAI_REGISTRY_H
#define TACTUS_RTAI_REGISTRY_H

#include <rtai_nam2num.h>

#define IS_TASK 0
#define IS_SEM  1
#define IS_RWL  2
#define IS_SPL  3
#define IS_MBX  4
#define IS_PRX  5
#define IS_BIT  6
#define IS_TBX  7
#define IS_HPCK 8

#define exist(name) rt_get_adr(nam2num(name))

#endif
