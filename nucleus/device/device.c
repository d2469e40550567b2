/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices. An object contains the back end's number of a device. A number is never used twice, so
 * the back end refuses a call that comes too late with it. Therefore nothing is locked while Linux
 * works for a device, and a task that is ended meanwhile leaves nothing behind.
 */
#include "device/device.h"

#include "base/string.h"
#include "object/object.h"
#include "task/mode.h"

_Static_assert(TACT_DEVICE_IRQ_LINES == HAL_DEVICE_IRQ_LINES &&
		       TACT_DEVICE_IRQ_LINES == HAL_INTERRUPTS &&
		       TACT_DEVICE_BARS == HAL_DEVICE_BARS &&
		       TACT_DEVICE_ADDRESS_BYTES == HAL_DEVICE_NAME,
	       "the public numbers are the contract's");

struct device {
	struct nuc_object object;
	int64_t number; /* the back end's */
	struct hal_device_info info;
	char address[TACT_DEVICE_ADDRESS_BYTES];
};

struct device_create_call {
	struct nuc_call call;
	int64_t number;
	struct hal_device_info info;
	const char *address;
};

struct device_find_call {
	struct nuc_call call;
	struct nuc_device_place place;
};

static struct device *device_of(struct nuc_object *object)
{
	return base_container_of(object, struct device, object);
}

int nuc_device_begin(void)
{
	int error = nuc_go_linux();

	if (!error && !hal_linux_caller_ok())
		error = -TACT_EPERM;
	return error ? error : nuc_linux_begin();
}

void nuc_device_end(void)
{
	nuc_linux_end();
}

static int detach(int64_t number)
{
	int error = nuc_device_begin();

	if (error)
		return error;
	error = hal_device_detach(number);
	nuc_device_end();
	return error;
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct device_create_call *args = base_container_of(call, struct device_create_call, call);
	struct device *device;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_DEVICE, sizeof(*device), &error);
	if (!object)
		return error;
	device = device_of(object);
	device->number = args->number;
	device->info = args->info;
	(void)base_copy_text(device->address, sizeof(device->address), args->address);
	call->handle = object->handle;
	return 0;
}

static int64_t attach(const char *address, uint32_t lines, struct hal_device_info *info,
		      char *reason)
{
	int64_t result = nuc_device_begin();

	if (result)
		return result;
	result = hal_device_attach(address, lines, info, reason);
	nuc_device_end();
	return result;
}

int tact_device_open(const char *name, const char *address, uint32_t lines, tact_device_t *device,
		     char reason[TACT_REASON_BYTES])
{
	char unwanted[TACT_REASON_BYTES];
	int error;
	NUC_CALL(struct device_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!reason)
		reason = unwanted;
	reason[0] = '\0';
	if (!address || lines > TACT_DEVICE_IRQ_LINES)
		return -TACT_EINVAL;
	args.number = attach(address, lines, &args.info, reason);
	if (args.number < 0)
		return (int)args.number;
	args.address = address;
	error = nuc_create(&args.call, name, 0, 0, NUC_ID_OF(device));
	if (error)
		(void)detach(args.number);
	return error;
}

/* Linux has to silence the device first: only tact_device_close() deletes it, not tact_delete(),
 * and the stop leaves it. */
static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	if (call->type != NUC_TYPE_DEVICE)
		return -TACT_EBUSY;
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_device_type = {
	.name = "device",
	.destroy = destroy,
};

static int find_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct device_find_call *args = base_container_of(call, struct device_find_call, call);
	const struct device *device = device_of(object);

	(void)cpu;
	args->place = (struct nuc_device_place){device->number, device->info.lines};
	return 0;
}

int nuc_device_find(tact_device_t device, struct nuc_device_place *place)
{
	NUC_CALL(struct device_find_call, args, find_run, NUC_TYPE_DEVICE, device.id,
		 NUC_CALL_TASKS);
	int error = nuc_call(&args.call);

	*place = args.place;
	return error;
}

int tact_device_close(tact_device_t device)
{
	struct nuc_device_place place;
	int error = nuc_device_find(device, &place);

	if (!error)
		error = detach(place.number);
	return error ? error : nuc_delete(device.id, NUC_TYPE_DEVICE);
}

/* Find the device, and begin the work of Linux for it. */
static int begin(tact_device_t device, int64_t *number)
{
	struct nuc_device_place place;
	int error = nuc_device_find(device, &place);

	*number = place.number;
	return error ? error : nuc_device_begin();
}

int tact_device_map(tact_device_t device, uint32_t bar, uint64_t offset, uint64_t bytes,
		    void **memory)
{
	int64_t number;
	int error;

	if (!memory)
		return -TACT_EINVAL;
	error = begin(device, &number);
	if (error)
		return error;
	error = hal_device_map(number, bar, offset, bytes, memory);
	nuc_device_end();
	return error;
}

int tact_device_dma_add(tact_device_t device, void *memory, size_t bytes, uint32_t flags,
			uint64_t *address)
{
	int64_t number;
	int error;

	if (!address || flags & ~TACT_DMA_READ_ONLY)
		return -TACT_EINVAL;
	error = begin(device, &number);
	if (error)
		return error;
	error = hal_device_dma_add(number, memory, bytes, flags & TACT_DMA_READ_ONLY, address);
	nuc_device_end();
	return error;
}

int tact_device_dma_remove(tact_device_t device, uint64_t address, size_t bytes)
{
	int64_t number;
	int error = begin(device, &number);

	if (error)
		return error;
	error = hal_device_dma_remove(number, address, bytes);
	nuc_device_end();
	return error;
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct device *device = base_container_of(object, struct device, object);
	struct tact_device_info *info = result;

	(void)cpu;
	base_copy(info->address, device->address, sizeof(info->address));
	info->irq_lines = device->info.lines;
	info->translated = device->info.translated;
	base_copy(info->bar_bytes, device->info.bar_bytes, sizeof(info->bar_bytes));
}

int tact_device_inquire(tact_device_t device, struct tact_device_info *info)
{
	return nuc_inquire(device.id, NUC_TYPE_DEVICE, info, sizeof(*info), fill_info);
}
