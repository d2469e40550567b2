/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The only devices of this back end are doorbells: Linux has the devices that interrupt here. */
#define _GNU_SOURCE
#include "devices.h"

#include "back_end.h"
#include "base/error.h"
#include "doorbell.h"
#include "reason.h"
#include "thread.h"

int port_device_attach(uint32_t slot, const char *name, uint32_t lines,
		       struct hal_device_info *info, char reason[HAL_REASON_BYTES])
{
	if (linux_doorbell_is(name))
		return linux_doorbell_attach(slot, lines, info, reason);
	return linux_refuse(reason, -TACT_ENOTSUP,
			    "interrupts of devices come to bare cores only: load the module "
			    "(kmod/README.md) and use tactus run --core bare");
}

void port_device_detach(uint32_t slot)
{
	linux_doorbell_detach(slot);
}

int port_device_aim(uint32_t slot, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	(void)line;
	return linux_doorbell_aim(slot, cpu, interrupt);
}

int port_doorbell_file(uint32_t slot)
{
	return linux_doorbell_file(slot);
}

/* The page of the first CPU, at which nearly all programs aim their doorbell. It is lent once a
 * start: who has attached a closed doorbell must not ring another one. */
struct hal_doorbell *backend_doorbell_borrow(int *file)
{
	struct thread_port *port = &thread_program.ports[0];

	if (port->doorbell_lent)
		return NULL;
	port->doorbell_lent = true;
	*file = port->doorbell_file;
	return port->doorbell;
}

bool backend_doorbell_aim(struct hal_doorbell *page, struct hal_cpu *cpu, uint32_t interrupt)
{
	struct thread_port *port = &thread_program.ports[0];

	if (page != port->doorbell)
		return false;
	if (cpu && thread_port_of(cpu) != port)
		return false;
	atomic_store(&port->doorbell_interrupt, cpu ? 1u << interrupt : 0);
	return cpu != NULL;
}

/* A doorbell has no memory that can be mapped, and accesses none. */
int port_device_map(uint32_t slot, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	(void)slot;
	(void)bar;
	(void)offset;
	(void)bytes;
	(void)memory;
	return -TACT_EINVAL;
}

void port_device_unmap(void *memory, uint64_t bytes)
{
	(void)memory;
	(void)bytes;
}

int port_device_dma_add(uint32_t slot, void *memory, uint64_t bytes, bool read_only,
			uint64_t *address)
{
	(void)slot;
	(void)memory;
	(void)bytes;
	(void)read_only;
	(void)address;
	return -TACT_ENOSPC;
}

int port_device_dma_remove(uint32_t slot, uint64_t address, uint64_t bytes)
{
	(void)slot;
	(void)address;
	(void)bytes;
	return -TACT_ESRCH;
}
