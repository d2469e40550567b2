/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Page faults on a real-time CPU, counted without a system call. For each fault a perf event of
 * period 1 writes a record of eight bytes into a ring that is mapped read-only. Such a ring
 * overwrites, so its head only grows; hal_cpu.page_faults points to the head. The two events for
 * served faults, minor and major, are used: the event for all faults also counts those that end a
 * task. Source: perf_event_open(2).
 */
#define _GNU_SOURCE

#include "dispatcher.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"
#include "high_fd.h"
#include "thread.h"

#define PAGE       4096u
#define RING_BYTES (2u * PAGE) /* the page with the head, and the smallest ring */

_Static_assert(sizeof(struct perf_event_header) == HAL_PAGE_FAULT_STEP, "a record is a header");

/* exclude_kernel: faults of kernel code on the task's memory, as for a signal frame, are then left
 * out. Without rights, Linux allows no more. */
static int open_event(uint64_t which, bool exclude_kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = which,
		.sample_period = 1,
		.exclude_kernel = exclude_kernel,
		.exclude_hv = 1,
	};
	long fd = call_perf_event_open(&attr);

	return fd < 0 ? -1 : linux_high_fd((int)fd);
}

static bool open_events(struct thread_port *port, bool exclude_kernel)
{
	port->fault_fd[0] = open_event(PERF_COUNT_SW_PAGE_FAULTS_MIN, exclude_kernel);
	if (port->fault_fd[0] < 0)
		return false;
	port->fault_fd[1] = open_event(PERF_COUNT_SW_PAGE_FAULTS_MAJ, exclude_kernel);
	return port->fault_fd[1] >= 0;
}

static void close_events(struct thread_port *port)
{
	for (int i = 0; i < 2; i++) {
		if (port->fault_fd[i] >= 0)
			close(port->fault_fd[i]);
		port->fault_fd[i] = -1;
	}
}

/* One fault must be one step. If this kernel counts in another way, no figure is reported, rather
 * than a wrong one. */
static bool counts(const volatile uint64_t *faults)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t before;
	bool one;

	if (page == MAP_FAILED)
		return false;
	/* The program may have locked all its memory: then the page is populated already. */
	munlock(page, PAGE);
	madvise(page, PAGE, MADV_DONTNEED);
	before = *faults;
	*(volatile char *)page = 1;
	one = *faults - before == HAL_PAGE_FAULT_STEP;
	munmap(page, PAGE);
	return one;
}

void thread_page_faults_open(struct thread_port *port)
{
	struct perf_event_mmap_page *ring;

	port->fault_fd[0] = port->fault_fd[1] = -1;
	if (!open_events(port, false)) {
		close_events(port);
		if (!open_events(port, true)) {
			close_events(port);
			return;
		}
	}
	ring = mmap(NULL, RING_BYTES, PROT_READ, MAP_SHARED, port->fault_fd[0], 0);
	if (ring == MAP_FAILED) {
		close_events(port);
		return;
	}
	port->fault_ring = ring;
	if (ioctl(port->fault_fd[1], PERF_EVENT_IOC_SET_OUTPUT, port->fault_fd[0]) ||
	    !counts((const volatile uint64_t *)&ring->data_head)) {
		thread_page_faults_close(port);
		return;
	}
	port->common.cpu->page_faults = (const volatile uint64_t *)&ring->data_head;
}

void thread_page_faults_close(struct thread_port *port)
{
	port->common.cpu->page_faults = NULL;
	if (port->fault_ring)
		munmap(port->fault_ring, RING_BYTES);
	port->fault_ring = NULL;
	close_events(port);
}
