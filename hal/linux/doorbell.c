/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Doorbells: how other processes interrupt a real-time CPU. A doorbell shares one page with them;
 * the word `rung` in it is a futex. While the doorbell is aimed at a CPU, a thread waits for that
 * word. If the CPU is one of Linux's, the thread is on that CPU, one priority above it, so that
 * passing a ring on costs a switch and no interrupt of another processor. The thread notes the
 * interrupt in the port of the CPU and kicks the CPU.
 *
 * A process that rings may be preempted or killed between any two of its instructions. So the word
 * says only that something came, and each process that finds the thread asleep wakes it: no process
 * depends on the wake-up by another one.
 *
 * The back end may lend the page of a CPU to a doorbell. The words by which that CPU sleeps and is
 * kicked are in this page, so a process that has the file can also keep the CPU from its kicks.
 */
#define _GNU_SOURCE

#include "doorbell.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/self.h"
#include "back_end.h"
#include "base/error.h"
#include "call.h"
#include "print.h"
#include "high_fd.h"
#include "policy.h"
#include "port.h"
#include "program.h"
#include "reason.h"
#include "sanitized.h"
#include "tls.h"

#define PAGE        4096u
#define MARK        0x6c6c6562u /* "bell" */
#define SEALS       (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define STACK_BYTES 65536u

static struct doorbell {
	struct hal_doorbell *page; /* NULL: no doorbell */
	int file;
	bool borrowed; /* the page is a CPU's */
	bool runs;     /* there is a thread: */
	pthread_t thread;
	_Atomic bool ends;
	struct linux_port *port; /* constant while the thread runs, like the interrupt */
	uint32_t interrupt;
} doorbells[HAL_DEVICES];

bool linux_doorbell_is(const char *name)
{
	return strcmp(name, HAL_DOORBELL) == 0;
}

bool linux_doorbell_has(uint32_t slot)
{
	return doorbells[slot].page != NULL;
}

static struct hal_doorbell *map(int file)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);

	if (page == MAP_FAILED)
		return NULL;
	/* Without the right to lock memory the page stays as long as memory is not short. */
	(void)mlock(page, PAGE);
	return page;
}

struct hal_doorbell *linux_doorbell_page_make(int *file)
{
	struct hal_doorbell *page = NULL;

	*file = linux_high_fd(memfd_create("tactus doorbell", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	if (*file >= 0 && !ftruncate(*file, PAGE) && !fcntl(*file, F_ADD_SEALS, SEALS))
		page = map(*file);
	if (page) {
		page->mark = MARK;
		return page;
	}
	if (*file >= 0)
		linux_close(*file);
	*file = -1;
	return NULL;
}

void linux_doorbell_page_free(struct hal_doorbell *page, int file)
{
	munmap(page, PAGE);
	linux_close(file);
}

int linux_doorbell_attach(uint32_t slot, uint32_t lines, struct hal_device_info *info,
			  char reason[HAL_REASON_BYTES])
{
	struct doorbell *doorbell = &doorbells[slot];
	int file = -1;
	struct hal_doorbell *page = backend_doorbell_borrow(&file);

	*doorbell = (struct doorbell){.borrowed = page != NULL};
	doorbell->page = page ? page : linux_doorbell_page_make(&file);
	doorbell->file = file;
	if (!doorbell->page)
		return linux_refuse(
			reason, -TACT_ENOMEM,
			"a doorbell cannot be made: no memory or descriptor is left (ulimit "
			"-n, -l)");
	*info = (struct hal_device_info){.lines = lines ? 1 : 0};
	return 0;
}

static void pass(const struct doorbell *doorbell)
{
	/* Released by the kick. */
	atomic_fetch_or(&doorbell->port->doorbells, 1u << doorbell->interrupt);
	hal_kick(doorbell->port->cpu);
}

static void *serve(void *argument)
{
	struct doorbell *doorbell = argument;
	struct hal_doorbell *page = doorbell->page;

	hal_arch_self_set(NULL);
	if (linux_program.fifo && linux_is_sanitized())
		call_scheduler(0, linux_program.priority + 1);
	while (!atomic_load(&doorbell->ends)) {
		if (atomic_exchange(&page->rung, 0)) {
			pass(doorbell);
			continue;
		}
		atomic_store(&page->sleeps, 1);
		if (!atomic_load(&doorbell->ends))
			call_futex_wait_shared(&page->rung, 0, NULL);
		atomic_store(&page->sleeps, 0);
	}
	linux_ends();
	return NULL;
}

static void wake_thread(struct hal_doorbell *page)
{
	if (atomic_load(&page->sleeps))
		call_futex_wake_shared(&page->rung, 1);
}

/* The CPU takes the ring by itself: as hal_kick(), except that this process has no way to interrupt
 * a CPU that runs. */
static bool wake_cpu(struct hal_doorbell *page)
{
	const uint32_t direct = atomic_load(&page->direct);

	if (direct == DOORBELL_BY_THREAD)
		return false;
	(void)atomic_exchange(&page->kick, DOORBELL_KICK_ASKED);
	switch (atomic_load(&page->state)) {
	case DOORBELL_SLEEPING:
		call_futex_wake_shared(&page->kick, 1);
		return true;
	case DOORBELL_POLLING:
		return direct == DOORBELL_BY_CPU;
	}
	return false;
}

static void ring(struct hal_doorbell *page)
{
	atomic_store(&page->rung, 1);
	if (!wake_cpu(page))
		wake_thread(page);
}

static void stop(struct doorbell *doorbell)
{
	if (!doorbell->runs)
		return;
	atomic_store(&doorbell->page->direct, DOORBELL_BY_THREAD);
	backend_doorbell_aim(doorbell->page, NULL, 0);
	atomic_store(&doorbell->ends, true);
	/* The thread may have read `ends` before, and may not sleep yet. */
	atomic_store(&doorbell->page->rung, 1);
	call_futex_wake_shared(&doorbell->page->rung, 1);
	pthread_join(doorbell->thread, NULL);
	doorbell->runs = false;
}

/* The thread is on the CPU that it interrupts, unless Linux does not have that CPU. */
static void choose_cpus(const struct hal_cpu *cpu, cpu_set_t *cpus)
{
	*cpus = linux_program.other_cpus;
	if (!linux_program.port_count)
		return;
	CPU_ZERO(cpus);
	CPU_SET(cpu->linux_cpu, cpus);
}

static int start(struct doorbell *doorbell, const struct hal_cpu *cpu)
{
	const struct sched_param plain = {0},
				 high = {.sched_priority = (int)linux_program.priority + 1};
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	pthread_attr_t attributes;
	cpu_set_t cpus;
	int error;

	atomic_store(&doorbell->ends, false);
	choose_cpus(cpu, &cpus);
	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, STACK_BYTES);
	pthread_attr_setaffinity_np(&attributes, sizeof(cpus), &cpus);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &plain);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = linux_birth(&doorbell->thread, &attributes, serve, doorbell);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	if (error)
		return -TACT_ENOMEM;
	doorbell->runs = true;
	if (linux_program.fifo && !linux_is_sanitized())
		pthread_setschedparam(doorbell->thread, SCHED_FIFO, &high);
	pthread_setname_np(doorbell->thread, "tactus-doorbell");
	return 0;
}

int linux_doorbell_aim(uint32_t slot, struct hal_cpu *cpu, uint32_t interrupt)
{
	struct doorbell *doorbell = &doorbells[slot];
	int error;

	stop(doorbell);
	if (!cpu)
		return 0;
	doorbell->port = linux_port_of(cpu);
	doorbell->interrupt = interrupt;
	error = start(doorbell, cpu);
	if (!error && doorbell->borrowed && backend_doorbell_aim(doorbell->page, cpu, interrupt))
		atomic_store(&doorbell->page->direct, linux_program.idle == HAL_IDLE_SPIN
							      ? DOORBELL_BY_CPU_ASLEEP
							      : DOORBELL_BY_CPU);
	return error;
}

void linux_doorbell_detach(uint32_t slot)
{
	struct doorbell *doorbell = &doorbells[slot];

	stop(doorbell);
	if (!doorbell->borrowed)
		linux_doorbell_page_free(doorbell->page, doorbell->file);
	doorbell->page = NULL;
}

int linux_doorbell_file(uint32_t slot)
{
	int file;

	if (!linux_doorbell_has(slot))
		return -TACT_EINVAL;
	file = fcntl(doorbells[slot].file, F_DUPFD_CLOEXEC, 0);
	return file < 0 ? -TACT_ENOMEM : file;
}

int hal_doorbell_attach(int file, struct hal_doorbell **attached)
{
	const int seals = fcntl(file, F_GET_SEALS);
	struct hal_doorbell *page;

	/* Without the seals, other users of the file could shorten it. */
	if (seals < 0 || (seals & SEALS) != SEALS || lseek(file, 0, SEEK_END) != PAGE)
		return -TACT_EINVAL;
	page = map(file);
	if (!page)
		return -TACT_ENOMEM;
	if (page->mark != MARK) {
		munmap(page, PAGE);
		return -TACT_EINVAL;
	}
	*attached = page;
	return 0;
}

void hal_doorbell_detach(struct hal_doorbell *page)
{
	munmap(page, PAGE);
}

void hal_doorbell_ring(struct hal_doorbell *page)
{
	ring(page);
}
