/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a module says of itself. It is a shared object: see tactus rtai insmod. */
#ifndef TACTUS_RTAI_LINUX_MODULE_H
#define TACTUS_RTAI_LINUX_MODULE_H

#ifndef __KERNEL__
#include_next <linux/module.h>
#else
#include <linux/export.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

struct module;
#define THIS_MODULE ((struct module *)0)

#define RTAI_INFORMATION(key, text)     _Static_assert(sizeof(text), key)
#define MODULE_LICENSE(text)            RTAI_INFORMATION("license", text)
#define MODULE_AUTHOR(text)             RTAI_INFORMATION("author", text)
#define MODULE_DESCRIPTION(text)        RTAI_INFORMATION("description", text)
#define MODULE_VERSION(text)            RTAI_INFORMATION("version", text)
#define MODULE_ALIAS(text)              RTAI_INFORMATION("alias", text)
#define MODULE_SUPPORTED_DEVICE(text)   RTAI_INFORMATION("device", text)
#define MODULE_DEVICE_TABLE(type, name) _Static_assert(sizeof(name), "table")

/* Only a module that is loaded later uses one: rmmod refuses that by itself. */
#define MOD_INC_USE_COUNT               ((void)0)
#define MOD_DEC_USE_COUNT               ((void)0)
#define try_module_get(module)          ((void)(module), 1)
#define module_put(module)              ((void)(module))
#define request_module(...)             (-ENOSYS)
#endif

#endif
