/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions by which a module begins and ends. */
#ifndef TACTUS_RTAI_LINUX_INIT_H
#define TACTUS_RTAI_LINUX_INIT_H

#define __init
#define __exit
#define __initdata
#define __exitdata
#define __devinit
#define __devexit

int init_module(void);
void cleanup_module(void);

#define module_init(function) int init_module(void) __attribute__((alias(#function)))
#define module_exit(function) void cleanup_module(void) __attribute__((alias(#function)))

#endif
