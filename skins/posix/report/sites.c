/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call sites of mode switches: how often, by which Linux call, by which function of the C library,
 * for which place of the program. The place is looked for on the stack: the first word above the
 * call's that follows a call instruction, outside of libraries that only pass the call on. The
 * result may be wrong if an old word was left on the stack, as in every search of a stack without
 * unwinding tables.
 */
#define _GNU_SOURCE
#include "posix/report/sites.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ucontext.h>

#include <tactus/skin.h>

#include "posix/libc/real.h"
#include "posix/state/options.h"
#include "posix/state/stay.h"

#define SITES 512u /* further places are counted together */
#define SHOWN 20u
/* a signal frame of today's processors, and this library's frame above it */
#define FRAME_WORDS 1024u
#define STACK_WORDS 256u
#define IRET_SP     3u    /* behind the instruction: code segment, flags, stack pointer */
#define CODE        0x33u /* the code segment of programs */

struct site {
	_Atomic uintptr_t ip; /* 0: free */
	_Atomic uintptr_t caller;
	_Atomic long number;
	_Atomic uint64_t count;
};

static struct site sites[SITES];
static _Atomic uint64_t others;

static bool follows_call(uintptr_t address)
{
	const uint8_t *code = (const uint8_t *)address;

	return code[-5] == 0xe8 || (code[-2] == 0xff && (code[-1] & 0x38) == 0x10) ||
	       (code[-3] == 0xff && (code[-2] & 0x38) == 0x10) ||
	       (code[-6] == 0xff && (code[-5] & 0x38) == 0x10);
}

/* Not in the C library or in Tactus, which call Linux for others. */
static bool is_programs(uintptr_t address)
{
	Dl_info info, libc, own;

	if (posix_from_tactus((const void *)address) || !dladdr((const void *)address, &info) ||
	    !dladdr((const void *)is_programs, &own) ||
	    !dladdr(*(void **)(void *)&posix_real.syscall, &libc))
		return false;
	return info.dli_fbase != own.dli_fbase && info.dli_fbase != libc.dli_fbase &&
	       follows_call(address);
}

/* The end of the calling thread's stack. glibc puts the thread's descriptor there. The main
 * thread's stack ends where the program began, above everything else. */
static const uintptr_t *stack_end(const uintptr_t *here)
{
	extern void *__libc_stack_end;
	const uintptr_t *own = (const uintptr_t *)pthread_self();

	return own > here ? own : __libc_stack_end;
}

static bool is_stack_of(uintptr_t sp, const uintptr_t *frame, const uintptr_t *end)
{
	return sp > (uintptr_t)frame && sp < (uintptr_t)end && sp % sizeof(uintptr_t) == 0 &&
	       sp - (uintptr_t)frame < FRAME_WORDS * sizeof(uintptr_t);
}

/*
 * Where the stack pointer of the interrupted call is stored: before the instruction pointer in the
 * frame of the kernel, and behind it in the frame of a bare core, which iretq takes. Other copies
 * of the instruction pointer have no code segment beside them. NULL: not found.
 */
static const uintptr_t *stack_of_call(uintptr_t ip, const uintptr_t *end)
{
	const uintptr_t *word = __builtin_frame_address(0);

	for (size_t i = 1; i < FRAME_WORDS && &word[i + IRET_SP] < end; i++) {
		if (word[i] != ip)
			continue;
		if ((word[i + (REG_CSGSFS - REG_RIP)] & UINT16_MAX) == CODE &&
		    is_stack_of(word[i - (REG_RIP - REG_RSP)], &word[i], end))
			return (const uintptr_t *)word[i - (REG_RIP - REG_RSP)];
		if (word[i + 1] == CODE && is_stack_of(word[i + IRET_SP], &word[i], end))
			return (const uintptr_t *)word[i + IRET_SP];
	}
	return NULL;
}

static uintptr_t find_caller(uintptr_t ip)
{
	const uintptr_t *end = stack_end(__builtin_frame_address(0));
	const uintptr_t *word = stack_of_call(ip, end);

	for (size_t i = 0; word && i < STACK_WORDS && &word[i] < end; i++)
		if (word[i] > 4096 && is_programs(word[i]))
			return word[i];
	return 0;
}

static void count(uintptr_t ip, uintptr_t caller, long number)
{
	uintptr_t at = (ip ^ caller * 31) * 0x9e3779b97f4a7c15ull >> 55;

	for (uintptr_t looked = 0; looked < SITES; looked++) {
		struct site *site = &sites[(at + looked) % SITES];
		uintptr_t none = 0;

		if (atomic_compare_exchange_strong(&site->ip, &none, ip)) {
			atomic_store(&site->caller, caller);
			atomic_store(&site->number, number);
		} else if (none != ip || atomic_load(&site->caller) != caller) {
			continue;
		}
		atomic_fetch_add(&site->count, 1);
		return;
	}
	atomic_fetch_add(&others, 1);
}

/* Called after each switch, on the shadow. */
static void switched(tact_task_t task, long number, uintptr_t ip)
{
	const int former = errno;

	(void)task;
	if (number < 0)
		return;
	posix_stay_switched();
	if (posix_summary_wanted)
		count(ip, find_caller(ip), number);
	errno = former;
}

void posix_sites_begin(void)
{
	tact_on_switch(switched);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_place(struct posix_print *to, uintptr_t address)
{
	Dl_info info;

	if (!address || !dladdr((const void *)address, &info))
		posix_print(to, "?");
	else if (info.dli_sname)
		posix_print(to, "%s(%s+0x%lx)", file_name(info.dli_fname), info.dli_sname,
			    (unsigned long)(address - (uintptr_t)info.dli_saddr));
	else
		posix_print(to, "%s+0x%lx", file_name(info.dli_fname),
			    (unsigned long)(address - (uintptr_t)info.dli_fbase));
}

/* The most frequent one first. Sorted in place: the C library's sort may need memory of the heap,
 * whose lock may belong to the thread that the fatal signal interrupted. */
static void put_in_order(void)
{
	for (unsigned i = 0; i < SHOWN; i++) {
		const struct site here = sites[i];
		unsigned most = i;

		for (unsigned j = i + 1; j < SITES; j++)
			if (sites[j].count > sites[most].count)
				most = j;
		sites[i] = sites[most];
		sites[most] = here;
	}
}

void posix_sites_print(struct posix_print *to)
{
	tact_on_switch(NULL);
	(void)posix_print_end(to);
	put_in_order();
	if (!sites[0].count)
		return;
	posix_print(to, "tactus: %8s %6s %s\n", "TO-LINUX", "CALL", "FROM");
	for (unsigned i = 0; i < SITES; i++) {
		if (!sites[i].count)
			continue;
		if (i >= SHOWN) {
			others += sites[i].count;
			continue;
		}
		posix_print(to, "tactus: %8llu %6ld ", (unsigned long long)sites[i].count,
			    sites[i].number);
		print_place(to, sites[i].ip);
		posix_print(to, " for ");
		print_place(to, sites[i].caller);
		posix_print(to, "\n");
	}
	if (others)
		posix_print(to, "tactus: %8llu from elsewhere\n", (unsigned long long)others);
}
