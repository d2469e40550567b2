/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the thread back end needs of the processor besides contexts: a per-thread pointer that costs
 * no system call (on x86-64 the GS base, which neither the C library nor the compilers use), the
 * stall bit behind it, the TLS base, the tick counter, and the registers in a signal frame.
 *
 * Each access to the stall bit is ONE instruction relative to GS. A preemption before or after it
 * may even end with the task on another kernel thread: the access then uses the bit of that thread.
 * No register holds an address that could become stale.
 */
#ifndef ARCH_SELF_H
#define ARCH_SELF_H

#include <stdbool.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "hal/cpu.h"

_Static_assert(offsetof(struct hal_self, self) == 0, "restorer.S");
_Static_assert(offsetof(struct hal_self, stalled) == 8, "restorer.S");
_Static_assert(offsetof(struct hal_self, pending) == 12, "restorer.S");
_Static_assert(offsetof(struct hal_self, kind) == 16 && HAL_SELF_CPU == 1, "restorer.S");

#define HAL_ARCH_FLAG_AC 0x40000ull

/* NULL on a plain Linux thread. */
static inline struct hal_self *hal_arch_self(void)
{
	struct hal_self *self;

	__asm__ volatile("rdgsbase %0" : "=r"(self));
	return self;
}

static inline void hal_arch_self_set(struct hal_self *self)
{
	__asm__ volatile("wrgsbase %0" : : "r"(self) : "memory");
}

/* The functions below only where hal_arch_self() is not NULL. */
static inline struct hal_self *hal_arch_self_stalled(void)
{
	struct hal_self *self;

	__asm__ volatile("movl $1, %%gs:8\n\tmovq %%gs:0, %0" : "=r"(self) : : "memory");
	return self;
}

/* Set the bit and return its former value. */
static inline uint32_t hal_arch_stall_exchange(void)
{
	uint32_t was = 1;

	__asm__ volatile("xchgl %0, %%gs:8" : "+r"(was) : : "memory");
	return was;
}

/* Clear the bit; true if an event was logged meanwhile. */
static inline bool hal_arch_unstall(void)
{
	bool pending;

	__asm__ volatile("movl $0, %%gs:8\n\tcmpl $0, %%gs:12" : "=@ccne"(pending) : : "memory");
	return pending;
}

static inline uint64_t hal_arch_tls(void)
{
	uint64_t base;

	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

static inline void hal_arch_tls_set(uint64_t base)
{
	__asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
}

/*
 * The kernel enters a handler with the alignment check of the interrupted code. Our handlers, and
 * the code to which they switch, need it off; the frame restores it.
 */
static inline void hal_arch_flags_clean(void)
{
	unsigned long long flags = __builtin_ia32_readeflags_u64();

	if (flags & HAL_ARCH_FLAG_AC)
		__builtin_ia32_writeeflags_u64(flags & ~HAL_ARCH_FLAG_AC);
}

static inline uint64_t hal_arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* NULL, or a sentence that says what this processor or kernel lacks. */
const char *hal_arch_missing(void);

/* The start of a thread's TLS block as light tasks see it: self pointers, canary, pointer guard. */
void hal_arch_light_tls(void *page);

/* A system call from the only text from which a dispatcher may make one. Returns -errno. */
long hal_arch_syscall(long number, long a, long b, long c, long d, long e, long f);
extern const char hal_arch_allowed_begin[], hal_arch_allowed_end[];

/* Entry of the event signal and the way back from all of the library's handlers: restorer.S. */
void hal_arch_event(int signal, siginfo_t *info, void *ucontext);
void hal_arch_restorer(void);

/* The ucontext of the handler to which this frame record (where its frame pointer points) belongs;
 * NULL if it belongs to any other function. */
const void *hal_arch_signal_frame(const uintptr_t *record);

/* From within a handler with this frame: continue as this other handler, as if Linux had called it.
 * That handler returns by way_back. Does not return, and makes no call. */
void hal_arch_signal_pass(const void *handler, void (*way_back)(void), int signal, siginfo_t *info,
			  void *ucontext);

/* Called by restorer.S: on a real-time CPU, and on any other thread. They return 1 if the restorer
 * must clear the stall bit, else 0. */
int thread_event(int signal, siginfo_t *info, void *ucontext, uint32_t was_stalled);
int thread_event_elsewhere(int signal, siginfo_t *info, void *ucontext);
void thread_event_replay(void *ucontext);

/*
 * Is the interrupted code about to leave a handler, after it has cleared the stall bit? Then make
 * it start the leaving again, with the bit that the caller holds: it will find what the caller
 * logs, on the existing frame.
 */
bool hal_arch_event_merge(void *ucontext);

/* Make the interrupted system call happen again when the handler returns. */
void hal_arch_call_rewind(void *ucontext, long number);
/* Or let it have this result. */
void hal_arch_call_result(void *ucontext, long result);
/* Its second argument. */
unsigned long hal_arch_call_second(const void *ucontext);
/* Does a call of this ABI have this program's call numbers? abi: AUDIT_ARCH_*. */
bool hal_arch_call_is_native(unsigned abi);
/* Make the six-argument call that the frame describes, here. */
long hal_arch_call_make(const void *ucontext, long number);

#endif
