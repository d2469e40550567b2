/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two halves of a test: that of Linux, which takes cores and runs them, and the upcalls of ring
 * 3. */
#define _GNU_SOURCE
#include "ring3.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static void die(const char *what, const char *reason)
{
	printf("not ok %s: %s%s%s\n", what, strerror(errno), reason[0] ? ": " : "", reason);
	fflush(stdout);
	_exit(1);
}

int ring3_open(void)
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	int file = open(TACT_BARE_DEVICE, O_RDWR | O_CLOEXEC);

	if (file < 0)
		die("open", "");
	if (ioctl(file, TACT_BARE_HELLO, &hello))
		die("hello", hello.reason);
	return file;
}

static void *map(int file, uint64_t offset, int protection)
{
	void *page = mmap(NULL, TACT_BARE_PAGE, protection, MAP_SHARED, file, (off_t)offset);

	if (page == MAP_FAILED)
		die("mmap", "");
	return page;
}

struct ring3 *ring3_take(int file, uint32_t cpu)
{
	struct tact_bare_take take = {.cpu = cpu};
	struct ring3 *self = mmap(NULL, sizeof(*self), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (self == MAP_FAILED)
		die("memory", "");
	if (ioctl(file, TACT_BARE_TAKE, &take))
		die("take", take.reason);
	self->file = file;
	self->core = take.core;
	self->user = map(file, TACT_BARE_MAP_USER(take.core), PROT_READ | PROT_WRITE);
	self->info = map(file, TACT_BARE_MAP_INFO(take.core), PROT_READ);
	self->gs[0] = (uint64_t)self->user;
	self->gs[61] = (uint64_t)self;
	self->late_min = UINT64_MAX;
	return self;
}

void ring3_give(struct ring3 *self)
{
	struct tact_bare_core core = {.core = self->core};

	if (ioctl(self->file, TACT_BARE_GIVE, &core))
		die("give", "");
	munmap(self->user, TACT_BARE_PAGE);
	munmap((void *)(uintptr_t)self->info, TACT_BARE_PAGE);
	munmap(self, sizeof(*self));
}

void ring3_add_all(int file)
{
	struct tact_bare_memory memory = {.flags = TACT_BARE_MEMORY_ALL};

	if (ioctl(file, TACT_BARE_MEMORY_ADD, &memory))
		die("memory", memory.reason);
}

void ring3_start(struct ring3 *self, uint64_t (*main)(struct ring3 *self))
{
	struct tact_bare_start start = {.core = self->core};

	self->gs[62] = (uint64_t)main;
	start.ip = (uint64_t)ring3_main_entry;
	start.sp = (uint64_t)(self->stack + RING3_STACK);
	start.argument = (uint64_t)self;
	__asm__ volatile("rdfsbase %0" : "=r"(start.fs_base));
	start.gs_base = (uint64_t)self->gs;
	start.entry[TACT_BARE_UP_EVENT] = (uint64_t)ring3_event_entry;
	start.entry[TACT_BARE_UP_FAULT] = (uint64_t)ring3_fault_entry;
	start.entry[TACT_BARE_UP_CALL] = (uint64_t)ring3_call_entry;
	for (unsigned kind = 0; kind < TACT_BARE_UP_EVENTS; kind++)
		start.stack[kind] = (uint64_t)(self->stacks[kind] + RING3_STACK - 8);
	if (ioctl(self->file, TACT_BARE_START, &start))
		die("start", "");
}

int ring3_run(struct ring3 *self)
{
	self->run = (struct tact_bare_run){.core = self->core};
	return ioctl(self->file, TACT_BARE_RUN, &self->run) ? -errno : 0;
}

/* The upcalls, in ring 3. `ticks` is 0 if the event was found, not delivered. */
void ring3_event(struct ring3 *self, uint64_t ticks);
void ring3_fault(struct ring3 *self);
void ring3_linux_call(struct ring3 *self);

void ring3_event(struct ring3 *self, uint64_t ticks)
{
	uint32_t events = __atomic_exchange_n(&self->user->events, 0, __ATOMIC_SEQ_CST);

	if (self->extended) {
		__asm__ volatile("xsave64 %0" : "+m"(self->saved) : "a"(-1), "d"(-1));
		__asm__ volatile("vzeroall; fninit" ::: "xmm5", "xmm6");
	}
	if (events >= TACT_BARE_EVENT_DEVICE(0) && self->on_event)
		self->on_event(self, ticks);
	if (events & TACT_BARE_EVENT_KICK)
		self->kicks_seen++;
	if (events & TACT_BARE_EVENT_TIMER && ticks) {
		uint64_t late = ticks - self->user->deadline;

		self->late_sum += late;
		if (late < self->late_min)
			self->late_min = late;
		if (late > self->late_max)
			self->late_max = late;
	}
	if (events & TACT_BARE_EVENT_TIMER)
		self->ticks_seen++;
	if (events & TACT_BARE_EVENT_TIMER && self->period_ticks) {
		self->next += self->period_ticks;
		ring3_call(TACT_BARE_CALL_ARM, self->next);
	}
	if (self->extended)
		__asm__ volatile("xrstor64 %0" ::"m"(self->saved), "a"(-1), "d"(-1));
}

void ring3_unmask(struct ring3 *self)
{
	for (;;) {
		__atomic_store_n(&self->user->masked, 0, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&self->user->events, __ATOMIC_SEQ_CST))
			return;
		__atomic_store_n(&self->user->masked, 1, __ATOMIC_SEQ_CST);
		ring3_event(self, 0);
	}
}

void ring3_fault(struct ring3 *self)
{
	struct tact_bare_frame *frame = &self->user->frame[TACT_BARE_UP_FAULT];

	self->faults_seen++;
	self->last_fault = *frame;
	if (!self->resume)
		ring3_call(TACT_BARE_CALL_LEAVE, 1000 + frame->cause);
	frame->ip = self->resume;
}

void ring3_linux_call(struct ring3 *self)
{
	self->calls_seen++;
	self->last_call = self->user->frame[TACT_BARE_UP_CALL];
	if (!self->resume)
		ring3_call(TACT_BARE_CALL_LEAVE, 2000 + self->last_call.cause);
}
