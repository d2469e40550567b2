/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The log, and small functions of Linux's kernel. */
#ifndef TACTUS_RTAI_LINUX_KERNEL_H
#define TACTUS_RTAI_LINUX_KERNEL_H

#ifndef __KERNEL__
#include_next <linux/kernel.h>
#else
#include <asm/atomic.h>
#include <linux/types.h>

#define KERN_EMERG     "<0>"
#define KERN_ALERT     "<1>"
#define KERN_CRIT      "<2>"
#define KERN_ERR       "<3>"
#define KERN_WARNING   "<4>"
#define KERN_NOTICE    "<5>"
#define KERN_INFO      "<6>"
#define KERN_DEBUG     "<7>"
#define KERN_DEFAULT   ""
#define KERN_CONT      ""

/* To the log: tactus rtai dmesg. */
int printk(const char *format, ...) __asm__("rt_printk");
#define pr_err(...)    printk(__VA_ARGS__)
#define pr_warn(...)   printk(__VA_ARGS__)
#define pr_notice(...) printk(__VA_ARGS__)
#define pr_info(...)   printk(__VA_ARGS__)
#define pr_debug(...)  printk(__VA_ARGS__)

int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t bytes, const char *format, ...);
int vsprintf(char *text, const char *format, va_list args);
int vsnprintf(char *text, size_t bytes, const char *format, va_list args);
int sscanf(const char *text, const char *format, ...);
unsigned long simple_strtoul(const char *text, char **end, unsigned int base) __asm__("strtoul");
long simple_strtol(const char *text, char **end, unsigned int base) __asm__("strtol");

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))
#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define barrier()           __asm__ volatile("" : : : "memory")
#define min(a, b)           ((a) < (b) ? (a) : (b))
#define max(a, b)           ((a) > (b) ? (a) : (b))
#define min_t(type, a, b)   ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b)   ((type)(a) > (type)(b) ? (type)(a) : (type)(b))

#define abs(value)         __builtin_abs(value)

/* The real-time CPUs. */
unsigned int num_online_cpus(void) __asm__("rtai_linux_cpus");
#define num_possible_cpus  num_online_cpus
#define smp_processor_id() rtai_module_cpuid()
int rtai_module_cpuid(void);

void panic(const char *format, ...) TACTUS_RTAI_REFUSED("return an error from init_module()");
#endif

#endif
