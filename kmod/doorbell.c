// SPDX-License-Identifier: GPL-2.0-only
/*
 * The doorbell: an interrupt of Linux, allocated by its vector domain like that of a device, which
 * cores raise with their local APICs. Linux moves the interrupt when its CPU goes offline; the
 * cores are told then. A ring that was under way to the old CPU may wake no thread, but is not
 * lost: RUN, read() and the library check a few times a second.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <asm/apic.h>
#include <asm/hw_irq.h>
#include <asm/irqdomain.h>
#include <asm/smp.h>

#include "compat.h"
#include "tactus.h"

DECLARE_WAIT_QUEUE_HEAD(tactus_doorbell_wait);
static struct fwnode_handle *doorbell_node;
static struct irq_domain *doorbell_domain;
static int doorbell_interrupt;
static u64 doorbell_word;
static atomic_t doorbell_times;

static irqreturn_t doorbell_rung(int interrupt, void *data)
{
	atomic_inc(&doorbell_times);
	wake_up_all(&tactus_doorbell_wait);
	return IRQ_HANDLED;
}

unsigned int tactus_doorbell_count(void)
{
	return atomic_read(&doorbell_times);
}

void tactus_doorbell_ring(void)
{
	u64 word = READ_ONCE(doorbell_word);

	tactus_interrupt_send(word >> 32, APIC_DM_FIXED | (u32)word);
}

static void doorbell_notify_core(struct tactus_core *core, void *data)
{
	WRITE_ONCE(core->mailbox->doorbell, READ_ONCE(doorbell_word));
}

/* Under hold.c's lock, so that the last value is the newest. */
void tactus_doorbell_notify(void)
{
	tactus_hold_each(doorbell_notify_core, NULL);
}

/* The cores that have rung. take: they may ring anew. */
u64 tactus_doorbell_rung(struct tactus_program *program, bool take)
{
	u64 cores = 0;
	unsigned int i;

	spin_lock(&program->tables_lock);
	for (i = 0; i < TACT_BARE_MAX_CORES; i++) {
		struct tactus_core *core = program->cores[i];

		if (core && (take ? xchg(&core->mailbox->rung, 0) : READ_ONCE(core->mailbox->rung)))
			cores |= BIT_ULL(i);
	}
	spin_unlock(&program->tables_lock);
	return cores;
}

static void doorbell_check(struct irq_data *data)
{
	unsigned int cpu = cpumask_first(irq_data_get_effective_affinity_mask(data));

	/* Not the target that Linux gives to devices, which may be a logical one. */
	if (cpu < nr_cpu_ids)
		WRITE_ONCE(doorbell_word,
			   (u64)per_cpu(x86_cpu_to_apicid, cpu) << 32 | irqd_cfg(data)->vector);
	tactus_doorbell_notify();
}

static int doorbell_set_affinity(struct irq_data *data, const struct cpumask *mask, bool force)
{
	struct irq_data *parent = data->parent_data;
	int result = parent->chip->irq_set_affinity(parent, mask, force);

	if (result >= 0 && result != IRQ_SET_MASK_OK_DONE)
		doorbell_check(data);
	return result;
}

static void doorbell_nothing(struct irq_data *data)
{
}

static struct irq_chip doorbell_chip = {
	.name = "tactus",
	.irq_ack = irq_chip_ack_parent,
	/* Nothing can be masked at a core; Linux replays interrupts that come while it is
	 * disabled. */
	.irq_mask = doorbell_nothing,
	.irq_unmask = doorbell_nothing,
	.irq_set_affinity = doorbell_set_affinity,
	.irq_retrigger = irq_chip_retrigger_hierarchy,
	.flags = IRQCHIP_SKIP_SET_WAKE,
};

static int doorbell_allocate(struct irq_domain *domain, unsigned int interrupt, unsigned int count,
			     void *argument)
{
	int error = irq_domain_alloc_irqs_parent(domain, interrupt, count, argument);

	if (error)
		return error;
	irq_domain_set_info(domain, interrupt, 0, &doorbell_chip, NULL, handle_edge_irq, NULL,
			    "edge");
	compat_move_at_once(interrupt);
	return 0;
}

static int doorbell_activate(struct irq_domain *domain, struct irq_data *data, bool reserve)
{
	return 0;
}

static const struct irq_domain_ops doorbell_operations = {
	.alloc = doorbell_allocate,
	.free = irq_domain_free_irqs_common,
	.activate = doorbell_activate,
};

int tactus_doorbell_start(void)
{
	struct irq_alloc_info info = {0};
	int error = -ENOMEM;

	doorbell_node = irq_domain_alloc_named_fwnode("tactus");
	if (!doorbell_node)
		return error;
	doorbell_domain = irq_domain_create_hierarchy(x86_vector_domain, 0, 1, doorbell_node,
						      &doorbell_operations, NULL);
	if (!doorbell_domain)
		goto free_node;
	doorbell_interrupt = irq_domain_alloc_irqs(doorbell_domain, 1, NUMA_NO_NODE, &info);
	if (doorbell_interrupt < 0) {
		error = doorbell_interrupt;
		goto remove_domain;
	}
	error = request_irq(doorbell_interrupt, doorbell_rung, 0, "tactus", &doorbell_domain);
	if (error)
		goto free_interrupt;
	doorbell_check(irq_get_irq_data(doorbell_interrupt));
	return 0;

free_interrupt:
	irq_dispose_mapping(doorbell_interrupt);
remove_domain:
	irq_domain_remove(doorbell_domain);
free_node:
	irq_domain_free_fwnode(doorbell_node);
	return error;
}

void tactus_doorbell_stop(void)
{
	free_irq(doorbell_interrupt, &doorbell_domain);
	irq_dispose_mapping(doorbell_interrupt);
	irq_domain_remove(doorbell_domain);
	irq_domain_free_fwnode(doorbell_node);
}
