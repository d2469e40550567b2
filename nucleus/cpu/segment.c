/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of the status segment. The CPUs write their records in the segment itself; there is no
 * copy.
 */
#include "cpu/segment.h"

#include "base/string.h"
#include "kernel/cpu.h"
#include "kernel/slot.h"

static struct tact_status_header *header;

static size_t align(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

static void lay_out(struct tact_status_header *head, const struct tact_config *config)
{
	size_t at = align(sizeof(*head));

	head->revision = TACT_STATUS_REVISION;
	head->core = hal_status_back_end;
	head->cpus = config->cpus;
	head->slots_per_cpu = config->task_slots;
	head->cpu_offset = (uint32_t)at;
	head->cpu_stride = sizeof(struct tact_status_cpu);
	at = align(at + (size_t)head->cpu_stride * config->cpus);
	head->slot_offset = (uint32_t)at;
	head->slot_stride = sizeof(struct tact_status_task);
	at = align(at + (size_t)head->slot_stride * config->task_slots * config->cpus);
	head->trace_offset = at;
	head->trace_events = config->trace_events;
	head->trace_stride = align(sizeof(struct tact_trace_ring) +
				   sizeof(struct tact_trace_event) * config->trace_events);
	head->bytes = at + head->trace_stride * config->cpus;
}

static int attach_cpu(struct nuc_cpu *cpu, char *base, const struct tact_status_header *head)
{
	uint32_t index = cpu->hal.index;
	char *slots =
		base + head->slot_offset + (size_t)head->slot_stride * head->slots_per_cpu * index;
	struct nuc_slot *slot = nuc_pool_get(cpu, sizeof(*slot) * head->slots_per_cpu);

	cpu->status = (void *)(base + head->cpu_offset + (size_t)head->cpu_stride * index);
	cpu->status->current_slot = UINT32_MAX;
	cpu->trace = (void *)(base + head->trace_offset + head->trace_stride * index);
	cpu->trace->mask = head->trace_events - 1;
	cpu->trace->enabled = 1;
	if (!slot)
		return -TACT_ENOMEM;
	for (uint32_t i = 0; i < head->slots_per_cpu; i++) {
		slot[i].index = head->slots_per_cpu * index + i;
		slot[i].status = (void *)(slots + (size_t)head->slot_stride * i);
		base_list_push_back(&slot[i].link, &cpu->slots);
	}
	return 0;
}

int nuc_segment_map(const struct tact_config *config)
{
	struct tact_status_header head;

	base_fill(&head, 0, sizeof(head));
	lay_out(&head, config);
	header = hal_status_map(head.bytes);
	if (!header)
		return -TACT_ENOMEM;
	*header = head;
	(void)base_copy_text(header->program, sizeof(header->program), config->name);
	for (uint32_t i = 0; i < config->cpus; i++)
		if (attach_cpu(&nuc_cpus[i], (char *)header, header))
			return -TACT_ENOMEM;
	return 0;
}

void nuc_segment_publish(void)
{
	header->pid = hal_process_id();
	header->start_ns = hal_now_ns();
	header->start_ticks = hal_ticks();
	/* Ticks to ns by one multiplication, exact enough for display. */
	header->tick_mult = hal_ticks_to_ns(UINT64_C(1) << 32);
	for (uint32_t i = 0; i < header->cpus; i++)
		nuc_cpus[i].status->linux_cpu = nuc_cpus[i].hal.linux_cpu;
	/* Release: a reader that finds the magic finds the rest. */
	__atomic_store_n(&header->magic, TACT_STATUS_MAGIC, __ATOMIC_RELEASE);
}

void nuc_segment_unmap(void)
{
	if (header)
		hal_status_unmap(header, header->bytes);
	header = NULL;
}
