/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The edu device's interrupt on a bare core, through the public API. A task of low priority raises
 * it on the core itself, so that it interrupts a task that computes; the handler wakes a task of
 * higher priority. For that, the device is given to the module, and afterwards back to its former
 * driver.
 */
#include "measure.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/tact.h>

#include "common/clock.h"
#include "common/complain.h"
#include "common/turns_mark.h"

#define RAISER_PRIORITY 10u
#define WAITER_PRIORITY 200u
#define SETTLE_NS       50000000u
#define LOST_NS         1000000000u /* an interrupt that has not come by then is lost */

struct bare {
	struct irq_measure *measure;
	volatile uint32_t *registers;
	uint64_t *handled_ns;
	uint64_t raised_ns, entered_ns; /* of the interrupt that is under way */
	tact_sem_t came;
	_Atomic uint64_t served;
	_Atomic bool over;
};

static inline void mark(const struct bare *bare, uint64_t now_ns)
{
	turns_mark((unsigned int)bare->measure->machine.cpu, (int64_t)(now_ns - bare->raised_ns));
}

static void handle(void *arg)
{
	const uint64_t entered_ns = tact_now().ns;
	struct bare *bare = arg;
	const uint32_t cause = bare->registers[EDU_STATUS];

	if (cause == 0)
		return;
	mark(bare, entered_ns);
	bare->registers[EDU_ACKNOWLEDGE] = cause;
	bare->entered_ns = entered_ns;
	(void)tact_sem_post(bare->came);
}

static void wait_all(void *arg)
{
	struct bare *bare = arg;
	struct irq_measure *measure = bare->measure;

	while (tact_sem_wait(bare->came, TACT_FOREVER) == 0) {
		const uint64_t woken_ns = tact_now().ns;
		const uint64_t n = atomic_load(&bare->served);

		if (atomic_load(&bare->over))
			return;
		mark(bare, woken_ns);
		measure->caused_ns[n] = bare->raised_ns;
		bare->handled_ns[n] = bare->entered_ns;
		measure->woken_ns[n] = woken_ns;
		atomic_store(&bare->served, n + 1);
	}
}

/* Computes until it is interrupted, like a task that is preempted. */
static void raise(struct bare *bare)
{
	const uint64_t before = atomic_load(&bare->served);
	uint64_t end_ns;

	bare->raised_ns = tact_now().ns;
	bare->registers[EDU_RAISE] = 1;
	end_ns = bare->raised_ns + LOST_NS;
	while (atomic_load(&bare->served) == before && tact_now().ns < end_ns)
		;
	if (atomic_load(&bare->served) == before)
		bare->measure->error = -TACT_ETIMEDOUT;
}

static void raise_all(void *arg)
{
	struct bare *bare = arg;
	struct irq_measure *measure = bare->measure;

	for (uint64_t n = 0; n < measure->loops && measure->error == 0; n++) {
		const tact_time_t release = {measure->start_ns + n * measure->period_ns};

		measure->error = tact_task_sleep_until(tact_at(release));
		if (measure->error == 0)
			raise(bare);
	}
	atomic_store(&bare->over, true);
	(void)tact_sem_post(bare->came);
}

static int run_tasks(struct bare *bare)
{
	const struct tact_task_attr waiter = {
		.name = "waiter", .priority = WAITER_PRIORITY, .flags = TACT_TASK_NO_LINUX};
	const struct tact_task_attr raiser = {
		.name = "raiser", .priority = RAISER_PRIORITY, .flags = TACT_TASK_LIGHT};
	tact_task_t waits, raises;
	int error;

	turns_begin();
	bare->measure->start_ns = tact_now().ns + SETTLE_NS;
	error = tact_task_spawn(&waiter, wait_all, bare, &waits);
	if (error != 0)
		return error;
	error = tact_task_spawn(&raiser, raise_all, bare, &raises);
	if (error != 0) {
		(void)tact_task_delete(waits);
		return error;
	}
	(void)tact_task_join(raises, TACT_FOREVER);
	(void)tact_task_join(waits, TACT_FOREVER);
	turns_end();
	return bare->measure->error;
}

/* The library runs, and the device is bound to the module. */
static int run_device(struct bare *bare, const char *address)
{
	char reason[TACT_REASON_BYTES];
	tact_device_t device;
	void *registers;
	int error = tact_device_open(NULL, address, 1, &device, reason);

	if (error != 0)
		return complain("%s", reason[0] != '\0' ? reason : strerror(-error));
	error = tact_device_map(device, 0, 0, EDU_BAR_BYTES, &registers);
	bare->registers = registers;
	if (error == 0)
		error = tact_sem_create(NULL, 0, 1, 0, &bare->came);
	if (error == 0)
		error = tact_interrupt_create("edu", device, 0, handle, bare, 0, NULL);
	if (error == 0)
		error = run_tasks(bare);
	/* Whatever the device still has ends with the stop of the library. */
	return error == 0 ? 0 : complain("the device on the core: %s", strerror(-error));
}

static int run_core(struct bare *bare, const char *address)
{
	const uint32_t cpu = (uint32_t)bare->measure->machine.cpu;
	const struct tact_config config = {
		.name = "tactus-irq", .linux_cpu = &cpu, .idle = TACT_IDLE_SLEEP};
	char reason[TACT_REASON_BYTES];
	int status;

	if (tact_start(&config, reason) != 0)
		return complain("%s", reason);
	if (reason[0] != '\0')
		notices_add(&bare->measure->notices, "%s", reason);
	status = run_device(bare, address);
	(void)tact_stop();
	return status;
}

int irq_bare_run(struct irq_measure *measure)
{
	struct bare bare = {.measure = measure};
	char address[IRQ_ADDRESS_BYTES];
	bool ours;
	int status;

	if (irq_edu_give(address, &ours) < 0)
		return -1;
	measure->source =
		(struct irq_source){.name = "edu", .raised = true, .fd = -1, .config_fd = -1};
	measure->elsewhere = measure->machine;
	measure->caused_ns = calloc(measure->loops, sizeof(uint64_t));
	measure->woken_ns = calloc(measure->loops, sizeof(uint64_t));
	bare.handled_ns = calloc(measure->loops, sizeof(uint64_t));
	if (measure->caused_ns == NULL || measure->woken_ns == NULL || bare.handled_ns == NULL)
		status = complain("no memory for %llu interrupts: lower --loops or --seconds",
				  (unsigned long long)measure->loops);
	else
		status = run_core(&bare, address);
	if (ours)
		irq_edu_take_back(address);
	measure->served = status == 0 ? bare.served : 0;
	for (uint64_t i = 0; i < measure->served; i++) {
		const uint64_t caused_ns = measure->caused_ns[i];
		const uint64_t release_ns = caused_ns - measure->start_ns;

		samples_push(&measure->store, IRQ_TASK, release_ns,
			     (int64_t)(measure->woken_ns[i] - caused_ns), 0);
		samples_push(&measure->store, IRQ_HANDLER, release_ns,
			     (int64_t)(bare.handled_ns[i] - caused_ns), 0);
	}
	free(measure->caused_ns);
	free(measure->woken_ns);
	free(bare.handled_ns);
	return status;
}
