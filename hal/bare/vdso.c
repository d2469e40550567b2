/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clocks of the vDSO. They read a page of Linux's that is not available on a core. So from the
 * loading of the library to its unloading the vDSO's functions are ours, in this process alone.
 * Each begins with a jump to the unused end of the vDSO's last page, and from there a long jump
 * leads to the library, which is farther away than the first jump reaches. Our functions read the
 * module's clock page, on cores and on Linux threads alike. For clocks that the page does not have,
 * and while there are no cores, they call Linux.
 *
 * A jump replaces several instructions, and a thread that was interrupted between them would go on
 * in the middle of the jump. When a program is loaded, its only thread is here. If a program of
 * several threads loads the library later, the library waits until all others have been seen at
 * rest elsewhere.
 *
 * If the vDSO may not be written, it stays as it is, and a task that reads a clock of the C library
 * in primary mode faults.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <linux/membarrier.h>

#include "call.h"

#define NS_PER_S   1000000000ull
#define NS_PER_US  1000u
#define WAY_BYTES  16u
#define JUMP_BYTES 5u /* e9 and a distance of 32 bits */

/* How long to wait until the other threads rest: one second. */
#define REST_TRIES   1000
#define REST_STEP_US 1000

/* On a core the nucleus moves the task to its shadow for this, as for any Linux call. */
static long query_linux(long number, long a, long b)
{
	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b) : "rcx", "r11", "memory");
	return number;
}

static int own_gettime(clockid_t clock, struct timespec *result)
{
	uint64_t ns;
	int64_t wall_offset_ns;

	if (clock < 0 || clock > CLOCK_MONOTONIC_COARSE || !bare_time_read(&ns, &wall_offset_ns))
		return (int)query_linux(SYS_clock_gettime, clock, (long)result);
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		ns += (uint64_t)wall_offset_ns;
		break;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
		break;
	default:
		return (int)query_linux(SYS_clock_gettime, clock, (long)result);
	}
	result->tv_sec = (time_t)(ns / NS_PER_S);
	result->tv_nsec = (long)(ns % NS_PER_S);
	return 0;
}

static int own_getres(clockid_t clock, struct timespec *result)
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return (int)query_linux(SYS_clock_getres, clock, (long)result);
	if (result)
		*result = (struct timespec){.tv_nsec = 1};
	return 0;
}

static int own_gettimeofday(struct timeval *result, void *zone)
{
	struct timespec now;

	if (zone)
		return (int)query_linux(SYS_gettimeofday, (long)result, (long)zone);
	if (!result)
		return 0;
	own_gettime(CLOCK_REALTIME, &now);
	*result = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / NS_PER_US};
	return 0;
}

static time_t own_time(time_t *result)
{
	struct timespec now;

	own_gettime(CLOCK_REALTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}

struct entry {
	const char *name;
	void (*own)(void);
	uint64_t *words; /* the function's first words; NULL: the function stays Linux's */
	uint64_t former;
};

static struct entry entries[] = {
	{.name = "__vdso_clock_gettime", .own = (void (*)(void))own_gettime},
	{.name = "__vdso_clock_getres", .own = (void (*)(void))own_getres},
	{.name = "__vdso_gettimeofday", .own = (void (*)(void))own_gettimeofday},
	{.name = "__vdso_time", .own = (void (*)(void))own_time},
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

static bool taken;

/* The whole pages of the vDSO, and the room behind its last byte for the long jumps. Found once,
 * because later that room may hold ours. */
static uintptr_t begin, end;
static unsigned char *room;

/* jmp *2(%rip), and the address at the next multiple of 8. */
static const unsigned char way_code[8] = {0xff, 0x25, 2, 0, 0, 0, 0, 0};
_Static_assert(sizeof(way_code) + sizeof(uint64_t) == WAY_BYTES, "one way");

static bool find_room(void)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Phdr *segment;
	unsigned char *free;
	size_t bytes;

	if (room)
		return true;
	if (!header)
		return false;
	bytes = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	segment = (const Elf64_Phdr *)((const char *)header + header->e_phoff);
	for (unsigned i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_vaddr + segment[i].p_memsz > bytes)
			bytes = segment[i].p_vaddr + segment[i].p_memsz;
	begin = (uintptr_t)header;
	end = (begin + bytes + TACT_BARE_PAGE - 1) & ~(uintptr_t)(TACT_BARE_PAGE - 1);
	free = (unsigned char *)((begin + bytes + WAY_BYTES - 1) & ~(uintptr_t)(WAY_BYTES - 1));
	if ((uintptr_t)free + ENTRIES * WAY_BYTES > end)
		return false;
	for (size_t i = 0; i < ENTRIES * WAY_BYTES; i++)
		if (free[i] && memcmp(free + i / WAY_BYTES * WAY_BYTES, way_code, sizeof(way_code)))
			return false;
	room = free;
	return true;
}

/* Make all threads see the new code, whatever they have fetched already. */
static void settle(void)
{
	call3(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	call3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

/* The address is written last, in one store: a library that was loaded before has left the code
 * there. */
static void make_way(unsigned char *way, void (*to)(void))
{
	memcpy(way, way_code, sizeof(way_code));
	__atomic_store_n((uint64_t *)(void *)(way + sizeof(way_code)), (uint64_t)to,
			 __ATOMIC_RELEASE);
}

/* In one store, so that no thread sees half of a jump. */
static void redirect(struct entry *entry, const unsigned char *way)
{
	const int32_t distance = (int32_t)((intptr_t)way - (intptr_t)entry->words - JUMP_BYTES);
	unsigned char bytes[sizeof(uint64_t)];
	uint64_t word;

	entry->former = *entry->words;
	memcpy(bytes, &entry->former, sizeof(bytes));
	bytes[0] = 0xe9;
	memcpy(bytes + 1, &distance, sizeof(distance));
	memcpy(&word, bytes, sizeof(word));
	__atomic_store_n(entry->words, word, __ATOMIC_RELEASE);
}

static bool in_a_head(uintptr_t ip)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (ip - (uintptr_t)entries[i].words < sizeof(uint64_t))
			return true;
	return false;
}

/*
 * Does the thread sleep, at another place than where a jump will be? Linux reports the place of a
 * thread that does not run (proc(5), /proc/pid/syscall): the last word is the instruction pointer.
 */
static bool rests_elsewhere(const char *tid)
{
	char path[64], text[256];
	const char *last;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/syscall", tid);
	file = fopen(path, "re");
	/* The thread has ended meanwhile, or this kernel does not report it. */
	if (!file)
		return access("/proc/self/syscall", R_OK) == 0;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = 0;
	last = strrchr(text, ' ');
	return last && !in_a_head(strtoull(last, NULL, 16));
}

/* Do all other threads of this process? False if Linux does not report it. */
static bool others_rest_elsewhere(void)
{
	DIR *threads = opendir("/proc/self/task");
	const struct dirent *entry;
	bool all = threads;

	while (all && (entry = readdir(threads)))
		all = entry->d_name[0] == '.' || (uint32_t)atoi(entry->d_name) == call_gettid() ||
		      rests_elsewhere(entry->d_name);
	if (threads)
		closedir(threads);
	return all;
}

/* Between the last check and the stores are microseconds. Within them a thread would have to wake,
 * get to such a place and be interrupted there. */
static bool wait_for_others(void)
{
	for (int tries = 0; tries < REST_TRIES; tries++) {
		if (others_rest_elsewhere())
			return true;
		usleep(REST_STEP_US);
	}
	return false;
}

static bool find_functions(void)
{
	void *library = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);

	for (size_t i = 0; library && i < ENTRIES; i++) {
		void *function = dlvsym(library, entries[i].name, "LINUX_2.6");

		if ((uintptr_t)function % sizeof(uint64_t) == 0)
			entries[i].words = function;
	}
	return entries[0].words;
}

bool bare_vdso_take(void)
{
	if (taken)
		return true;
	if (!find_room() || !find_functions() ||
	    mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	for (size_t i = 0; i < ENTRIES; i++)
		make_way(room + i * WAY_BYTES, entries[i].own);
	settle();
	taken = wait_for_others();
	for (size_t i = 0; taken && i < ENTRIES; i++)
		if (entries[i].words)
			redirect(&entries[i], room + i * WAY_BYTES);
	settle();
	mprotect((void *)begin, end - begin, PROT_READ | PROT_EXEC);
	return taken;
}

/* With a single thread there is no wait. */
static __attribute__((constructor)) void loaded(void)
{
	(void)bare_vdso_take();
}

/* Each jump is one instruction, so no thread is inside it. The long jumps stay, because a thread
 * may be on one. */
static __attribute__((destructor)) void unloaded(void)
{
	if (!taken || mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC))
		return;
	for (size_t i = 0; i < ENTRIES; i++)
		if (entries[i].words)
			__atomic_store_n(entries[i].words, entries[i].former, __ATOMIC_RELEASE);
	settle();
	mprotect((void *)begin, end - begin, PROT_READ | PROT_EXEC);
}
