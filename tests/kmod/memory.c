/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux's changes to a program's memory while a core uses it: memory CPU. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static volatile uint64_t *page;
static _Atomic uint64_t stop, writes;

/* Writes all the time; a fault continues after the loop's write (ring3.c: resume). */
static uint64_t write_page(struct ring3 *self)
{
	__asm__ volatile("leaq 1f(%%rip), %%rax; movq %%rax, %0; 1:"
			 : "=m"(self->resume)::"rax", "memory");
	while (!stop) {
		(*page)++;
		writes++;
	}
	return 77;
}

static bool has_faulted(void *data)
{
	return ((struct ring3 *)data)->faults_seen > 0;
}

static bool has_written(void *data)
{
	return *page > *(uint64_t *)data;
}

static bool add(int file, const void *start, size_t bytes)
{
	struct tact_bare_memory memory = {.address = (uint64_t)start, .bytes = bytes};

	if (ioctl(file, TACT_BARE_MEMORY_ADD, &memory) == 0)
		return true;
	printf("# add %p: %s: %s\n", start, strerror(errno), memory.reason);
	return false;
}

static void *fresh(void *where)
{
	return mmap(where, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1, 0);
}

/* The memory has left before the call returns: the core's count does not change after the
 * faults. */
static void check_gone(struct ring3 *self, const char *what)
{
	check(becomes(has_faulted, self) && self->last_fault.cause == 14 &&
		      self->last_fault.address == (uint64_t)page,
	      "memory: %s takes the page from the core (faults %llu at %llx)", what,
	      (unsigned long long)self->faults_seen, (unsigned long long)self->last_fault.address);
}

static void check_back(struct ring3 *self, int file, const char *what)
{
	uint64_t before = *page;

	check(add(file, (void *)(uintptr_t)page, 4096) && becomes(has_written, &before),
	      "memory: after %s it comes back", what);
	self->faults_seen = 0;
}

static void check_fork(void)
{
	uint64_t before = *page;
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		uint64_t mine = *page;

		usleep(20000);
		/* The copy belongs to the child: the core writes to the parent's page. */
		_exit(*page == mine ? 0 : 1);
	}
	check(becomes(has_written, &before),
	      "memory: after fork the core writes the parent's page");
	waitpid(child, &status, 0);
	before = *page;
	check(status == 0 && becomes(has_written, &before),
	      "memory: the child's copy stands still (status %x)", status);
}

/* As Linux allows: a MiB further down, and not beyond RLIMIT_STACK. */
static void check_stack(int file)
{
	uint64_t here = (uint64_t)&here & ~(uint64_t)4095;
	struct tact_bare_memory memory = {.address = here - (1 << 20), .bytes = 4096};
	struct rlimit limit;
	int result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);

	check(!result && memory.pages == 1, "memory: the stack grows for the core (%d): %s", result,
	      memory.reason);
	getrlimit(RLIMIT_STACK, &limit);
	memory.address = here - (limit.rlim_cur & ~(uint64_t)4095) - (1 << 20);
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(result == -1 && errno == EFAULT, "memory: within its limit, %llu KiB: %s",
	      (unsigned long long)limit.rlim_cur / 1024, memory.reason);
}

static void check_refused(int file)
{
	struct tact_bare_memory memory = {.address = 0x10000000, .bytes = 4096};
	int result;

	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(result == -1 && errno == EFAULT && memory.failed == 0x10000000 && memory.reason[0],
	      "memory: nothing there is refused: %s", memory.reason);
	memory.address = 0x123;
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(result == -1 && errno == EINVAL, "memory: an odd address is refused");
	memory.address = 0xfffffffffffff000;
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(result == -1 && errno == EINVAL, "memory: a kernel address is refused");
	memory.address = (uint64_t)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(result == -1 && errno == EACCES, "memory: a guard page is refused: %s",
	      memory.reason);
}

static uint64_t write_once(struct ring3 *self)
{
	(void)self;
	*page = 1;
	return 0;
}

int case_memory(int count, char **words)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, count > 1 ? (uint32_t)atoi(words[1]) : 1);
	struct tact_bare_memory memory = {.flags = TACT_BARE_MEMORY_ALL};
	int result;

	page = fresh(NULL);
	*page = 1;
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(!result && memory.pages > 50, "memory: all there is: %llu pages (%d)",
	      (unsigned long long)memory.pages, result);
	result = ioctl(file, TACT_BARE_MEMORY_ADD, &memory);
	check(!result && memory.pages < 50, "memory: what is there already does not count: %llu",
	      (unsigned long long)memory.pages);
	owner_begin(self);
	owner_end(self); /* ENODATA; only the thread's stack was wanted */
	ring3_add_all(file);
	ring3_start(self, write_page);
	owner_begin(self);
	uint64_t zero = 1;
	check(becomes(has_written, &zero), "memory: the core writes");
	check_fork();
	self->faults_seen = 0;

	munmap((void *)(uintptr_t)page, 4096);
	check_gone(self, "munmap");
	fresh((void *)(uintptr_t)page);
	check_back(self, file, "munmap");

	mprotect((void *)(uintptr_t)page, 4096, PROT_READ);
	uint64_t frozen = *page;
	check_gone(self, "mprotect");
	usleep(2000);
	check(*page == frozen, "memory: read-only at once: %llu, %llu", (unsigned long long)frozen,
	      (unsigned long long)*page);
	mprotect((void *)(uintptr_t)page, 4096, PROT_READ | PROT_WRITE);
	check_back(self, file, "mprotect");

	madvise((void *)(uintptr_t)page, 4096, MADV_DONTNEED);
	check_gone(self, "madvise");
	check_back(self, file, "madvise");

	memory = (struct tact_bare_memory){.address = (uint64_t)page, .bytes = 4096};
	result = ioctl(file, TACT_BARE_MEMORY_REMOVE, &memory);
	check(!result && memory.pages == 1, "memory: REMOVE takes one page (%llu)",
	      (unsigned long long)memory.pages);
	check_gone(self, "REMOVE");
	check_back(self, file, "REMOVE");
	check(self->info->flushes >= 4, "memory: flushes are counted: %llu",
	      (unsigned long long)self->info->flushes);
	stop = 1;
	result = owner_end(self);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 77,
	      "memory: the core leaves (run %d reason %u)", result, self->run.reason);
	check_refused(file);
	check_stack(file);

	self->resume = 0;
	munmap((void *)(uintptr_t)page, 4096);
	ring3_start(self, write_once);
	result = ring3_run(self);
	check(!result && self->run.cause == 1014, "memory: what is not there faults");
	ring3_give(self);
	return checks_failed();
}
