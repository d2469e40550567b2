/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices that programs drive: what pci.c, attach.c, bar.c, irq_line.c, readback.c, iommu.c and
 * dma.c share. */
#ifndef KMOD_PCI_H
#define KMOD_PCI_H

#include <linux/iommu.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "abi/bare.h"

struct tactus_core;
struct tactus_program;

/* One interrupt of a device: off, or aimed at a core of its program. */
struct tactus_irq_line {
	bool on;
	u32 core;
	u32 event;
	/* Linux's vector for it, which goes nowhere, because no driver requested the interrupt. */
	u32 vector_before;
	u32 target_before;
};

/* A device that is bound to the module's driver. The members after `program` are valid while it is
 * attached. tactus_pci_mutex protects all of it, except where a member names another lock. */
struct tactus_pci {
	struct list_head all;
	struct pci_dev *pci;
	wait_queue_head_t detached;
	struct tactus_program *program;
	u32 index;
	unsigned int mappings; /* of its BARs; under the program's tables_lock */
	unsigned int line_count;
	struct tactus_irq_line lines[TACT_BARE_MAX_LINES];
	struct iommu_group *group;   /* claimed; NULL: addresses are physical */
	struct iommu_domain *domain; /* what the device may reach; NULL: nothing */
	struct list_head ranges;
};

extern struct mutex tactus_pci_mutex;
extern bool tactus_unsafe_dma; /* main.c: a parameter */

int tactus_pci_start(void);
void tactus_pci_stop(void);
struct tactus_pci *tactus_pci_of(struct tactus_program *program, u32 index);
struct tactus_pci *tactus_pci_find(const char *name);
void tactus_pci_quiet_one(struct tactus_pci *device);
/* From now on, its devices write to no memory and interrupt no CPU. NULL: the devices of all
 * programs. */
void tactus_pci_quiet(struct tactus_program *program);
/* A core leaves its program: the lines that are aimed at it are turned off. */
void tactus_pci_core_leaves(struct tactus_program *program, u32 core);

/* attach.c */
int tactus_pci_attach(struct tactus_program *program, struct tact_bare_attach *attach);
int tactus_pci_detach(struct tactus_program *program, u32 index);
/* The program's file is closed: no mapping is left. */
void tactus_pci_detach_all(struct tactus_program *program);
int tactus_pci_irq_line(struct tactus_program *program, struct tact_bare_irq_line *line);
int tactus_pci_dma_remove(struct tactus_program *program, struct tact_bare_dma *dma);

/* bar.c */
struct vm_area_struct;
u64 tactus_bar_bytes(struct pci_dev *pci, unsigned int bar);
int tactus_bar_map(struct tactus_program *program, struct vm_area_struct *vma);

/* irq_line.c */
int tactus_irq_line_aim(struct tactus_pci *device, u32 line, struct tactus_core *core, u32 event);
void tactus_irq_line_gate(struct tactus_pci *device);
void tactus_irq_line_off(struct tactus_pci *device, u32 line);

/* readback.c: do the message of the interrupt and, if it is remapped, the entry of the table name
 * this vector, and the processor that Linux's messages name in this way? */
bool tactus_readback(struct tactus_pci *device, unsigned int interrupt, u32 vector, u32 target);

/* iommu.c: what a device may reach */
int tactus_iommu_claim(struct tactus_pci *device, char *reason);
void tactus_iommu_release(struct tactus_pci *device);
int tactus_iommu_map(struct tactus_pci *device, u64 address, struct page **pages,
		     unsigned int count, bool write);
bool tactus_iommu_unmap(struct tactus_pci *device, u64 address, u64 bytes);

/* dma.c: the program's memory for it */
int tactus_dma_add(struct tactus_program *program, struct tact_bare_dma *dma);
int tactus_dma_remove(struct tactus_pci *device, const struct tact_bare_dma *dma);
void tactus_dma_remove_all(struct tactus_pci *device);

#endif
