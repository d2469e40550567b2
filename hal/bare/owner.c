/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The Linux threads behind the cores. The owner of a core starts it, and sleeps in the module for
 * as long as it runs. SIGSTOP, a debugger and the freezer stop the owner, and with it the core. The
 * doorbell's thread makes the Linux calls that cores request.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "device.h"
#include "high_fd.h"
#include "tls.h"

#define STACK_BYTES (256u * 1024u)
/* A ring may get lost while Linux moves the doorbell to another CPU; then it is found after this
 * time. */
#define LOOK_MS 250
/* Linux refuses poll() if the program's limit of descriptors is lower than the number that it
 * watches. */
#define UNTOLD_NS 100000u

static pthread_t doorbell;
static int stop_fd = -1;
static _Atomic bool stops;

/* On the core. */
void bare_core_main(struct hal_cpu *cpu)
{
	bare_unmask(bare_core_of(cpu));
	nuc_upcall_start(cpu);
	core_leave(BARE_LEAVE_DONE);
}

/* The thread begins with all signals blocked, and is not on the real-time CPUs. */
static int thread_start(pthread_t *thread, void *(*entry)(void *argument), void *argument)
{
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, STACK_BYTES);
	pthread_attr_setaffinity_np(&attributes, sizeof(cpu_set_t), &linux_program.other_cpus);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = pthread_create(thread, &attributes, entry, argument);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	return error ? -TACT_ENOMEM : 0;
}

static void *owner(void *argument)
{
	struct bare_core *core = argument;
	struct tact_bare_run run;
	int error;

	core->port.tid = call_gettid();
	do
		error = device_run(core, &run);
	while (error == -EINTR);
	if (error || run.reason != TACT_BARE_LEFT)
		bare_stopped(core, &run, error);
	if (run.cause == BARE_LEAVE_PANIC)
		bare_panicked();
	return NULL;
}

int bare_owner_start(struct bare_core *core)
{
	char name[16] = "tactus-core";
	int error = thread_start(&core->owner, owner, core);

	if (error)
		return error;
	core->owned = true;
	name[11] = (char)('0' + core->port.cpu->index / 10);
	name[12] = (char)('0' + core->port.cpu->index % 10);
	pthread_setname_np(core->owner, name);
	return 0;
}

void bare_owner_join(struct bare_core *core)
{
	if (core->owned)
		pthread_join(core->owner, NULL);
	core->owned = false;
}

/* rung: one bit for each core that has requests. */
static void serve(uint64_t rung)
{
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		if (rung >> bare_program.cores[i].index & 1)
			bare_calls_make(&bare_program.cores[i]);
}

/*
 * The doorbell's thread is above all shadows that Linux allows. A shadow that waits until the
 * requests are served waits in pauses, and many such shadows take all CPUs of Linux.
 */
static void rise(void)
{
	unsigned priority = linux_program.shadow_priority_max;

	while (call_scheduler(call_gettid(), priority) && priority > linux_program.priority)
		priority--;
}

static void *answer(void *unused)
{
	struct pollfd fds[2] = {{.fd = bare_program.device, .events = POLLIN},
				{.fd = stop_fd, .events = POLLIN}};

	(void)unused;
	if (linux_program.fifo)
		rise();
	for (;;) {
		const int ready = poll(fds, 2, LOOK_MS);
		uint64_t rung;

		if (ready < 0) {
			hal_linux_pause(UNTOLD_NS);
			serve(~0ull);
		}
		if (atomic_load(&stops))
			return NULL;
		if (ready > 0 &&
		    call_read(bare_program.device, &rung, sizeof(rung)) == sizeof(rung))
			serve(rung);
	}
}

int bare_doorbell_start(void)
{
	int error;

	stop_fd = linux_high_fd(eventfd(0, EFD_CLOEXEC));
	if (stop_fd < 0)
		return -TACT_ENOMEM;
	atomic_store(&stops, false);
	error = thread_start(&doorbell, answer, NULL);
	if (error) {
		close(stop_fd);
		return error;
	}
	pthread_setname_np(doorbell, "tactus-doorbell");
	bare_calls_served(true);
	return 0;
}

/* The last requests of the cores are served, too: the cores have left, and have rung before. */
void bare_doorbell_stop(void)
{
	const uint64_t one = 1;

	atomic_store(&stops, true);
	call_write(stop_fd, &one, sizeof(one));
	pthread_join(doorbell, NULL);
	close(stop_fd);
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		bare_calls_make(&bare_program.cores[i]);
	bare_calls_served(false);
}
