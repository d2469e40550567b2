/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What modules have of RTAI's lowest layer: locks of a CPU and of all CPUs, requests to Linux, a
 * periodic handler. A request is a bit; a thread runs the handlers of all bits that it finds.
 */
#include <pthread.h>
#include <rtai_tasklets.h>
#include <rtai_usi.h>
#include <tactus/handler_lock.h>

#include "module_internal.h"
#include "rtai_module_calls.h"

#define REQUESTS   32u
#define HZ_OF_8254 1193180

unsigned long long rtai_module_rdtsc(void)
{
	return tact_now().ns;
}

int rtai_module_cpuid(void)
{
	struct tact_task_info info = {0};

	return tact_task_inquire(TACT_SELF, &info) ? 0 : (int)info.cpu;
}

/* How many locks there are; 0: none, or the caller cannot lock. */
unsigned long rtai_module_flags(void)
{
	const int locks = tact_task_lock_handlers();

	if (locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
	return locks > 0 ? (unsigned long)locks : 0;
}

/* The global lock, which a caller has once. */
static int global;
static _Atomic uint64_t global_owner;

/* Threads that are no tasks differ by their thread, and handlers have none. */
#define PLAIN_THREAD (1ull << 63)

static uint64_t caller(void)
{
	const uint32_t task = tact_task_self().id;

	if (task || tact_mode() == TACT_MODE_HANDLER)
		return (uint64_t)task + 1;
	return PLAIN_THREAD | (uint64_t)pthread_self();
}

static bool has_global(void)
{
	return atomic_load(&global_owner) == caller();
}

void rt_global_cli(void)
{
	if (has_global()) {
		rtai_cli();
		return;
	}
	(void)rt_spin_lock_irqsave(&global);
	atomic_store(&global_owner, caller());
}

static void leave_global(void)
{
	if (!has_global())
		return;
	atomic_store(&global_owner, 0);
	rt_spin_unlock(&global);
}

void rt_global_sti(void)
{
	leave_global();
	rtai_sti();
}

/* The upper half tells whether the caller had the global lock. */
#define HAD_GLOBAL (1ul << 32)

void rt_global_save_flags(unsigned long *flags)
{
	if (flags)
		*flags = rtai_module_flags() | (has_global() ? HAD_GLOBAL : 0);
}

unsigned long rt_global_save_flags_and_cli(void)
{
	unsigned long flags = 0;

	rt_global_save_flags(&flags);
	rt_global_cli();
	return flags;
}

void rt_global_restore_flags(unsigned long flags)
{
	if (!(flags & HAD_GLOBAL))
		leave_global();
	rtai_restore_flags(flags & ~HAD_GLOBAL);
}

static void (*_Atomic request[REQUESTS])(void);
static _Atomic uint32_t pending;
static _Atomic tact_sem_t asked;

static void serve(void *arg)
{
	(void)arg;
	for (;;) {
		uint32_t bits;

		if (tact_sem_wait(atomic_load(&asked), TACT_FOREVER) == -TACT_EIDRM)
			return;
		bits = atomic_exchange(&pending, 0);
		for (unsigned int i = 0; i < REQUESTS; i++) {
			void (*handler)(void) = atomic_load(&request[i]);

			if (bits >> i & 1 && handler)
				handler();
		}
	}
}

static int start_server(void)
{
	static _Atomic int starting;
	tact_sem_t sem = atomic_load(&asked);
	tact_task_t server;
	int idle = 0;

	if (sem.id)
		return 0;
	while (!atomic_compare_exchange_weak(&starting, &idle, 1)) {
		idle = 0;
		(void)runtime_nap();
	}
	sem = atomic_load(&asked);
	if (!sem.id && !tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem)) {
		atomic_store(&asked, sem);
		if (rtai_spawn_thread(serve, NULL, 0, &server)) {
			atomic_store(&asked, (tact_sem_t){0});
			(void)tact_sem_delete(sem);
			sem.id = 0;
		}
	}
	atomic_store(&starting, 0);
	return sem.id ? 0 : -ENOMEM;
}

int rt_request_srq(unsigned int label, void (*k_handler)(void),
		   long long (*u_handler)(unsigned long))
{
	(void)label;
	(void)u_handler;
	if (!k_handler || rtai_begin())
		return -EINVAL;
	if (start_server())
		return -ENOMEM;
	for (unsigned int i = 1; i < REQUESTS; i++) {
		void (*none)(void) = NULL;

		if (atomic_compare_exchange_strong(&request[i], &none, k_handler))
			return (int)i;
	}
	return -EBUSY;
}

int rt_free_srq(unsigned int srq)
{
	return srq >= 1 && srq < REQUESTS && atomic_exchange(&request[srq], NULL) ? 0 : -EINVAL;
}

void rt_pend_linux_srq(unsigned int srq)
{
	if (!srq || srq >= REQUESTS || !atomic_load(&request[srq]))
		return;
	atomic_fetch_or(&pending, 1u << srq);
	(void)tact_sem_post(atomic_load(&asked));
}

void rtai_requests_left(const void *from, const void *to, void (*tell)(void *arg), void *arg)
{
	for (unsigned int i = 1; i < REQUESTS; i++) {
		const char *handler = (const char *)(uintptr_t)atomic_load(&request[i]);

		if (!handler || handler < (const char *)from || handler >= (const char *)to)
			continue;
		atomic_store(&request[i], NULL);
		tell(arg);
	}
}

static struct rt_tasklet_struct *_Atomic timer;

static void tick(unsigned long handler)
{
	((void (*)(void))handler)();
}

int rt_request_timer(void (*handler)(void), unsigned int counts, int use_apic)
{
	const RTIME period = (RTIME)counts * 1000000000 / HZ_OF_8254;
	struct rt_tasklet_struct *none = NULL;
	struct rt_tasklet_struct *made;
	int error;

	(void)use_apic;
	if (!handler || !period)
		return -EINVAL;
	made = rt_init_tasklet();
	if (!made)
		return -ENOMEM;
	if (!atomic_compare_exchange_strong(&timer, &none, made)) {
		rt_delete_tasklet(made);
		return -EBUSY;
	}
	error = rt_insert_timer(made, 0, rt_get_time() + period, period, tick,
				(unsigned long)handler, 0);
	if (error)
		rt_free_timer();
	return error;
}

void rt_free_timer(void)
{
	rt_delete_tasklet(atomic_exchange(&timer, NULL));
}

int rt_assign_irq_to_cpu(int irq, unsigned long cpus_mask)
{
	(void)irq;
	(void)cpus_mask;
	return 0;
}

int rt_reset_irq_to_sym_mode(int irq)
{
	(void)irq;
	return 0;
}
