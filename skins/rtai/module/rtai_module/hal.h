/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What rtai.h and asm/rtai.h have for modules: the time stamp counter, locks against interrupts,
 * requests to Linux. */
#ifndef TACTUS_RTAI_RTAI_MODULE_HAL_H
#define TACTUS_RTAI_RTAI_MODULE_HAL_H

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define RTAI_NR_CPUS NR_RT_CPUS
#define NR_RT_CPUS   16

#define RTAI_CPU_FREQ       1000000000
#define CPU_FREQ            RTAI_CPU_FREQ
#define FREQ_8254           1193180
#define TIMER_8254_IRQ      0
#define RTAI_TIMER_NAME     "Tactus"
#define RTAI_APIC_TIMER_IPI 0
#define LATENCY_8254        0
#define SETUP_TIME_8254     0

#define RTAI_MODULE_PARM(name, type) RTAI_PARAMETER(name, #type, name, NULL, 0)
#define RTAI_SYSCALL_MODE

/* The time stamp counter counts ns, so that it stands still with virtual time. */
unsigned long long rtai_module_rdtsc(void);
#define rdtsc()       rtai_module_rdtsc()
#define rtai_rdtsc()  rtai_module_rdtsc()
#define rd_CPU_ts()   rtai_module_rdtsc()
#define rd_8254_ts()  rtai_module_rdtsc()
#define RTAI_CPU_TS() rtai_module_rdtsc()

/* ll * mult / div, without an overflow between. */
static inline long long rtai_llimd(long long ll, int mult, int div)
{
	return (long long)((__int128)ll * mult / div);
}

static inline unsigned long long rtai_ulldiv(unsigned long long ull, unsigned long uld,
					     unsigned long *r)
{
	if (r)
		*r = (unsigned long)(ull % uld);
	return ull / uld;
}

#define llimd                      rtai_llimd
#define ulldiv                     rtai_ulldiv
#define rtai_imuldiv(i, mult, div) ((int)((long long)(i) * (mult) / (div)))
#define imuldiv                    rtai_imuldiv
#define rtai_div_round(a, b)       (((a) + (b) / 2) / (b))

/* The real-time CPU of the caller. */
int rtai_module_cpuid(void);
#define rtai_cpuid()  rtai_module_cpuid()
#define hard_cpu_id() rtai_module_cpuid()

/* rtai_cli() and its like, and spinning locks, are those of programs: rtai_usi.h. */
unsigned long rtai_module_flags(void);
#define rtai_save_flags(flags)  ((flags) = rtai_module_flags())
#define hard_cli                rtai_cli
#define hard_sti                rtai_sti
#define hard_save_flags         rtai_save_flags
#define hard_save_flags_and_cli rtai_save_flags_and_cli
#define hard_restore_flags      rtai_restore_flags

/* The same, and no task of another CPU is between such two either. */
void rt_global_cli(void);
void rt_global_sti(void);
unsigned long rt_global_save_flags_and_cli(void);
void rt_global_save_flags(unsigned long *flags);
void rt_global_restore_flags(unsigned long flags);
#define rt_get_global_lock     rt_global_cli
#define rt_release_global_lock rt_global_sti

/* Requests to Linux: the handler runs in a thread of Linux, once for all pending requests of a
 * number. Returns the number, or -EINVAL (no handler), -EBUSY (there are 32). label: not needed. */
int rt_request_srq(unsigned int label, void (*k_handler)(void),
		   long long (*u_handler)(unsigned long));
/* 0; -EINVAL: no such number. */
int rt_free_srq(unsigned int srq);
void rt_pend_linux_srq(unsigned int srq);

/* A handler that runs periodically: each `tick` counts of the 8254's frequency. 0; -EINVAL: no
 * handler, or tick is 0, as only periodic ones are here; -EBUSY: there is one. */
int rt_request_timer(void (*handler)(void), unsigned int tick, int use_apic);
void rt_free_timer(void);

/* The timer has no interrupt that could be assigned: nothing, and 0. */
int rt_assign_irq_to_cpu(int irq, unsigned long cpus_mask);
int rt_reset_irq_to_sym_mode(int irq);

int rt_printk(const char *format, ...);
#define rt_sync_printk rt_printk

#define RTAI_NO_IRQ "Tactus hands no interrupts to modules: use the services of <tactus/device.h>"
int rt_request_irq(unsigned int irq, int (*handler)(unsigned int irq, void *cookie), void *cookie,
		   int retmode) __attribute__((error(RTAI_NO_IRQ)));
int rt_release_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
int rt_request_global_irq(unsigned int irq, void (*handler)(void))
	__attribute__((error(RTAI_NO_IRQ)));
int rt_free_global_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
int rt_request_linux_irq(unsigned int irq, void *handler, char *name, void *dev_id)
	__attribute__((error(RTAI_NO_IRQ)));
int rt_free_linux_irq(unsigned int irq, void *dev_id) __attribute__((error(RTAI_NO_IRQ)));
unsigned int rt_startup_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
void rt_mask_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
void rt_end_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
void rt_eoi_irq(unsigned int irq) __attribute__((error(RTAI_NO_IRQ)));
int rt_set_irq_ack(unsigned int irq, int (*irq_ack)(unsigned int, void *))
	__attribute__((error(RTAI_NO_IRQ)));
void rt_set_irq_cookie(unsigned int irq, void *cookie) __attribute__((error(RTAI_NO_IRQ)));
void rt_set_irq_retmode(unsigned int irq, int retmode) __attribute__((error(RTAI_NO_IRQ)));
void *rt_set_trap_handler(void *handler)
	__attribute__((error("a fault of a module ends its process, with a record of it")));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include <rtai_usi.h>

#endif
