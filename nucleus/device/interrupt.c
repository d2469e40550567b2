/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interrupts of devices. Each has a bit of its home CPU, which the back end sets when the interrupt
 * comes. Its handler is work for the CPU's server; waiting calls get the number of interrupts.
 * Invariants: the work is queued only while pending is set and the interrupt is enabled; while a
 * call waits, the number is 0.
 */
#include "call/wait.h"
#include "device/device.h"
#include "object/object.h"
#include "task/server.h"

struct nuc_interrupt {
	struct nuc_object object;
	struct nuc_work work;
	struct nuc_waitq waiters;
	uint32_t count; /* interrupts that no call has waited for */
	bool enabled;
	bool pending;
	bool counted; /* the interrupt that is pending */
	uint32_t bit; /* of hal_cpu.interrupts */
	uint64_t runs;
	void (*handler)(void *arg);
	void *arg;
	tact_device_t device;
	int64_t number; /* the back end's number of the device */
	uint32_t line;
};

struct interrupt_create_call {
	struct nuc_call call;
	void (*handler)(void *arg);
	void *arg;
	tact_device_t device;
	int64_t number;
	uint32_t line;
	uint32_t bit; /* out */
};

struct interrupt_find_call {
	struct nuc_call call;
	int64_t number;
	uint32_t line;
};

static struct nuc_interrupt *interrupt_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_interrupt, object);
}

static void give(struct nuc_cpu *cpu, struct nuc_interrupt *interrupt)
{
	if (nuc_wake_first(cpu, &interrupt->waiters, 1))
		return;
	if (interrupt->count < INT32_MAX)
		interrupt->count++;
}

/* An interrupt is pending, and not disabled. */
static void deliver(struct nuc_cpu *cpu, struct nuc_interrupt *interrupt)
{
	if (!interrupt->counted)
		give(cpu, interrupt);
	interrupt->counted = true;
	if (interrupt->handler)
		nuc_server_queue(cpu, &interrupt->work);
	else
		interrupt->pending = false;
}

void nuc_interrupts_serve(struct nuc_cpu *cpu)
{
	uint32_t came = cpu->hal.interrupts;

	cpu->hal.interrupts = 0;
	for (; came; came &= came - 1) {
		struct nuc_interrupt *interrupt = cpu->interrupts[__builtin_ctz(came)];

		/* The interrupt came while it was being turned off. */
		if (!interrupt)
			continue;
		interrupt->pending = true;
		interrupt->counted = false;
		if (interrupt->enabled)
			deliver(cpu, interrupt);
	}
}

static void run_handler(struct nuc_work *work)
{
	struct nuc_interrupt *interrupt = base_container_of(work, struct nuc_interrupt, work);
	struct nuc_cpu *cpu = nuc_enter();
	bool runs = interrupt->pending && interrupt->enabled;

	/* It may have been disabled after the work had left the server's queue. */
	if (runs) {
		interrupt->pending = false;
		interrupt->runs++;
	}
	nuc_leave(cpu);
	if (runs)
		interrupt->handler(interrupt->arg);
}

static void disable(struct nuc_interrupt *interrupt)
{
	interrupt->enabled = false;
	nuc_server_cancel(&interrupt->work);
}

static void handler_done(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted)
{
	(void)cpu;
	if (faulted)
		disable(base_container_of(work, struct nuc_interrupt, work));
}

static int free_bit(const struct nuc_cpu *cpu)
{
	for (int bit = 0; bit < (int)HAL_INTERRUPTS; bit++)
		if (!cpu->interrupts[bit])
			return bit;
	return -TACT_ENOSPC;
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct interrupt_create_call *args =
		base_container_of(call, struct interrupt_create_call, call);
	struct nuc_interrupt *interrupt;
	int bit = free_bit(cpu);
	int error;

	if (bit < 0)
		return bit;
	object = nuc_object_new(cpu, NUC_TYPE_INTERRUPT, sizeof(*interrupt), &error);
	if (!object)
		return error;
	interrupt = interrupt_of(object);
	nuc_work_init(&interrupt->work, object, run_handler, handler_done);
	nuc_waitq_init(&interrupt->waiters, object, TACT_PRIO);
	interrupt->enabled = true;
	interrupt->bit = (uint32_t)bit;
	interrupt->handler = args->handler;
	interrupt->arg = args->arg;
	interrupt->device = args->device;
	interrupt->number = args->number;
	interrupt->line = args->line;
	/* An old event of this bit belongs to another interrupt. */
	cpu->hal.interrupts &= ~(1u << bit);
	cpu->interrupts[bit] = interrupt;
	call->handle = object->handle;
	args->bit = (uint32_t)bit;
	return 0;
}

/* Deliver a line to a CPU, with this bit; cpu NULL: turn it off. */
static int aim(int64_t number, uint32_t line, struct nuc_cpu *cpu, uint32_t bit)
{
	int error = nuc_device_begin();

	if (error)
		return error;
	error = hal_device_aim(number, line, cpu ? &cpu->hal : NULL, bit);
	nuc_device_end();
	return error;
}

int tact_interrupt_create(const char *name, tact_device_t device, uint32_t line,
			  void (*handler)(void *arg), void *arg, uint32_t flags,
			  tact_interrupt_t *interrupt)
{
	struct nuc_device_place place;
	tact_interrupt_t made;
	int error;
	NUC_CALL(struct interrupt_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	error = nuc_device_find(device, &place);
	if (!error && line >= place.lines)
		error = -TACT_EINVAL;
	if (error)
		return error;
	args.handler = handler;
	args.arg = arg;
	args.device = device;
	args.number = place.number;
	args.line = line;
	error = nuc_create(&args.call, name, flags, 0, &made.id);
	if (error)
		return error;
	error = aim(place.number, line, &nuc_cpus[nuc_handle_cpu(made.id)], args.bit);
	if (error) {
		(void)nuc_delete(made.id, NUC_TYPE_INTERRUPT);
		return error;
	}
	if (interrupt)
		*interrupt = made;
	return 0;
}

/* The line has to be turned off before: so tact_interrupt_delete() deletes the interrupt, or the
 * stop, which turns all lines off, but not tact_delete(). */
static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_interrupt *interrupt = interrupt_of(object);
	int result;

	if (call->type == NUC_TYPE_ANY)
		return -TACT_EBUSY;
	disable(interrupt);
	cpu->interrupts[interrupt->bit] = NULL;
	(void)nuc_wake_all(cpu, &interrupt->waiters, -TACT_EIDRM);
	result = nuc_work_retire(cpu, &interrupt->work, call);
	nuc_object_retire(cpu, object);
	return result;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_work_release(cpu, &interrupt_of(object)->work);
}

static int wait_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_interrupt *interrupt = interrupt_of(object);
	const int count = (int)interrupt->count;

	if (!count)
		return nuc_wait(cpu, call, &interrupt->waiters);
	interrupt->count = 0;
	return count;
}

static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		  const struct tact_wait_item *item)
{
	if (item->bits || item->how || item->buffer || item->size)
		return -TACT_EINVAL;
	if (interrupt_of(object)->count && !nuc_alternative_claim(call))
		return NUC_LOST;
	return wait_run(cpu, object, call);
}

static const struct nuc_choice_ops choice_ops = {.take = choose};

const struct nuc_type_ops nuc_interrupt_type = {
	.name = "interrupt",
	.destroy = destroy,
	.release = release,
	.choice = &choice_ops,
};

int tact_interrupt_wait(tact_interrupt_t interrupt, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_plain_call, args, wait_run, NUC_TYPE_INTERRUPT, interrupt.id,
		 NUC_CALL_WAITS);

	return nuc_call_timeout(&args.call, timeout);
}

static int find_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct interrupt_find_call *args =
		base_container_of(call, struct interrupt_find_call, call);

	(void)cpu;
	args->number = interrupt_of(object)->number;
	args->line = interrupt_of(object)->line;
	return 0;
}

int tact_interrupt_delete(tact_interrupt_t interrupt)
{
	NUC_CALL(struct interrupt_find_call, args, find_run, NUC_TYPE_INTERRUPT, interrupt.id,
		 NUC_CALL_TASKS);
	int error = nuc_call(&args.call);

	if (!error)
		error = aim(args.number, args.line, NULL, 0);
	/* The line of a closed device is off already. */
	if (error && error != -TACT_EIDRM)
		return error;
	return nuc_delete(interrupt.id, NUC_TYPE_INTERRUPT);
}

static int disable_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)cpu;
	(void)call;
	disable(interrupt_of(object));
	return 0;
}

int tact_interrupt_disable(tact_interrupt_t interrupt)
{
	NUC_CALL(struct nuc_plain_call, args, disable_run, NUC_TYPE_INTERRUPT, interrupt.id,
		 NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static int enable_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_interrupt *interrupt = interrupt_of(object);

	(void)call;
	interrupt->enabled = true;
	if (interrupt->pending)
		deliver(cpu, interrupt);
	return 0;
}

int tact_interrupt_enable(tact_interrupt_t interrupt)
{
	NUC_CALL(struct nuc_plain_call, args, enable_run, NUC_TYPE_INTERRUPT, interrupt.id,
		 NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_interrupt *interrupt =
		base_container_of(object, struct nuc_interrupt, object);
	struct tact_interrupt_info *info = result;

	(void)cpu;
	info->device = interrupt->device;
	info->irq_line = interrupt->line;
	info->enabled = interrupt->enabled;
	info->pending = interrupt->pending;
	info->runs = interrupt->runs;
}

int tact_interrupt_inquire(tact_interrupt_t interrupt, struct tact_interrupt_info *info)
{
	return nuc_inquire(interrupt.id, NUC_TYPE_INTERRUPT, info, sizeof(*info), fill_info);
}
