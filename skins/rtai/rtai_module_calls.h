/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls of modules, by the names under which the library exports them. The headers of modules
 * (module/) declare them by RTAI's names.
 */
#ifndef RTAI_MODULE_CALLS_H
#define RTAI_MODULE_CALLS_H

#include <rtai_bits.h>
#include <rtai_fifos.h>
#include <rtai_mbx.h>
#include <rtai_rwl.h>
#include <rtai_sem.h>
#include <rtai_spl.h>
#include <rtai_tasklets.h>
#include <rtai_tbx.h>

#pragma GCC visibility push(default)

struct rtai_times {
	int linux_tick;
	int periodic_tick;
	RTIME tick_time;
	RTIME linux_time;
	RTIME intr_time;
};

int rtai_module_task_init(RT_TASK *task, void (*thread)(long), long data, int stack_size,
			  int priority, int uses_fpu, void (*signal)(void));
int rtai_module_task_init_cpuid(RT_TASK *task, void (*thread)(long), long data, int stack_size,
				int priority, int uses_fpu, void (*signal)(void),
				unsigned int run_on_cpu);
RT_TASK *rtai_module_named_task_init(const char *name, void (*thread)(long), long data,
				     int stack_size, int priority, int uses_fpu,
				     void (*signal)(void));
RT_TASK *rtai_module_named_task_init_cpuid(const char *name, void (*thread)(long), long data,
					   int stack_size, int priority, int uses_fpu,
					   void (*signal)(void), unsigned int run_on_cpu);
int rtai_module_named_task_delete(RT_TASK *task);
RT_TASK *rtai_module_whoami(void);
int rtai_module_get_prio(RT_TASK *task);
int rtai_module_get_inher_prio(RT_TASK *task);
int rtai_module_get_task_state(RT_TASK *task);
RTIME rtai_module_next_period(void);
int rtai_module_register(unsigned long name, void *address, int type, void *linux_task);
int rtai_module_drg_on_adr(void *address);
int rtai_module_drg_on_name(unsigned long name);
struct rtai_times *rtai_module_times(void);

void rtai_module_sem_init(SEM *sem, int value, int type);
int rtai_module_sem_delete(SEM *sem);
SEM *rtai_module_named_sem_init(unsigned long name, int value, int type, unsigned long *handle);
int rtai_module_mbx_init(MBX *mbx, int size, int qtype);
int rtai_module_mbx_delete(MBX *mbx);
MBX *rtai_module_named_mbx_init(unsigned long name, int size, int qtype, unsigned long *handle);
void rtai_module_bits_init(BITS *bits, unsigned long mask);
int rtai_module_bits_delete(BITS *bits);
int rtai_module_spl_init(SPL *spl);
int rtai_module_spl_delete(SPL *spl);
int rtai_module_rwl_init(RWL *rwl, int type);
int rtai_module_rwl_delete(RWL *rwl);
int rtai_module_msgq_init(RT_MSGQ *msgq, int nmsg, int msg_size);
int rtai_module_msgq_delete(RT_MSGQ *msgq);
int rtai_module_tbx_init(TBX *tbx, int size, int type);
int rtai_module_insert_tasklet(struct rt_tasklet_struct *tasklet, int priority,
			       void (*handler)(unsigned long), unsigned long data, unsigned long id,
			       int pid);
int rtai_module_insert_timer(struct rt_tasklet_struct *timer, int priority, RTIME firing_time,
			     RTIME period, void (*handler)(unsigned long), unsigned long data,
			     int pid);

int rtai_module_fifo_sem_trywait(unsigned int fifo);
int rtai_module_fifo_evdrp(unsigned int fifo, void *buf, int count);
int rtai_module_fifo_create(unsigned int fifo, int size);
int rtai_module_fifo_handler(unsigned int fifo, void *handler);

unsigned long long rtai_module_rdtsc(void);
int rtai_module_cpuid(void);
unsigned long rtai_module_flags(void);
void rt_global_cli(void);
void rt_global_sti(void);
unsigned long rt_global_save_flags_and_cli(void);
void rt_global_save_flags(unsigned long *flags);
void rt_global_restore_flags(unsigned long flags);
int rt_request_srq(unsigned int label, void (*k_handler)(void),
		   long long (*u_handler)(unsigned long));
int rt_free_srq(unsigned int srq);
void rt_pend_linux_srq(unsigned int srq);
int rt_request_timer(void (*handler)(void), unsigned int tick, int use_apic);
void rt_free_timer(void);
int rt_assign_irq_to_cpu(int irq, unsigned long cpus_mask);
int rt_reset_irq_to_sym_mode(int irq);

void *rtai_linux_alloc(unsigned long bytes);
void *rtai_linux_alloc_zeros(unsigned long bytes);
void *rtai_linux_realloc(const void *memory, unsigned long bytes);
void rtai_linux_free(const void *memory);
void rtai_linux_compute(unsigned long ns);
void rtai_linux_sleep(unsigned long ns);
unsigned long rtai_linux_jiffies(void);
unsigned int rtai_linux_cpus(void);
void rtai_linux_schedule(void);
long rtai_linux_schedule_timeout(long jiffies);
void rtai_linux_gettimeofday(long *seconds, long *microseconds);

#pragma GCC visibility pop

/* Requests to Linux whose handlers lie between two addresses end (module_hal.c). */
void rtai_requests_left(const void *from, const void *to, void (*tell)(void *arg), void *arg);
/* The same of handlers of FIFOs, and of FIFOs that were made there (fifo.c). */
void rtai_fifos_left(const void *from, const void *to, void (*tell)(void *arg, unsigned int fifo),
		     void *arg);

#endif
