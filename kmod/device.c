// SPDX-License-Identifier: GPL-2.0-only
/* /dev/tactus: copies structures in and out, checks the caller, and passes the call on. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "pci.h"
#include "tactus.h"

union device_argument {
	struct tact_bare_hello hello;
	struct tact_bare_take take;
	struct tact_bare_core core;
	struct tact_bare_start start;
	struct tact_bare_run run;
	struct tact_bare_memory memory;
	struct tact_bare_kick kick;
	struct tact_bare_attach attach;
	struct tact_bare_device device;
	struct tact_bare_irq_line line;
	struct tact_bare_dma dma;
};

static const struct file_operations device_operations;

static size_t device_size(unsigned int request)
{
	switch (request) {
	case TACT_BARE_HELLO:
		return sizeof(struct tact_bare_hello);
	case TACT_BARE_TAKE:
		return sizeof(struct tact_bare_take);
	case TACT_BARE_GIVE:
	case TACT_BARE_STOP:
		return sizeof(struct tact_bare_core);
	case TACT_BARE_START:
		return sizeof(struct tact_bare_start);
	case TACT_BARE_RUN:
		return sizeof(struct tact_bare_run);
	case TACT_BARE_MEMORY_ADD:
	case TACT_BARE_MEMORY_REMOVE:
		return sizeof(struct tact_bare_memory);
	case TACT_BARE_KICK:
		return sizeof(struct tact_bare_kick);
	case TACT_BARE_ATTACH:
		return sizeof(struct tact_bare_attach);
	case TACT_BARE_DETACH:
		return sizeof(struct tact_bare_device);
	case TACT_BARE_IRQ_LINE:
		return sizeof(struct tact_bare_irq_line);
	case TACT_BARE_DMA_ADD:
	case TACT_BARE_DMA_REMOVE:
		return sizeof(struct tact_bare_dma);
	default:
		return 0;
	}
}

static bool device_answers(unsigned int request)
{
	return request == TACT_BARE_HELLO || request == TACT_BARE_TAKE ||
	       request == TACT_BARE_RUN || request == TACT_BARE_MEMORY_ADD ||
	       request == TACT_BARE_MEMORY_REMOVE || request == TACT_BARE_ATTACH ||
	       request == TACT_BARE_DMA_ADD;
}

static long device_on_core(struct tactus_program *program, unsigned int request,
			   union device_argument *argument)
{
	/* All three begin with the index. */
	struct tactus_core *core = tactus_program_core(program, argument->core.core);
	long result;

	if (!core)
		return -ENXIO;
	result =
		request == TACT_BARE_RUN ? tactus_run(core, &argument->run) : tactus_run_stop(core);
	tactus_core_put(core);
	return result;
}

static long device_call(struct tactus_program *program, unsigned int request,
			union device_argument *argument)
{
	switch (request) {
	case TACT_BARE_TAKE:
		return tactus_program_take(program, &argument->take);
	case TACT_BARE_START:
		return tactus_run_start(program, &argument->start);
	case TACT_BARE_MEMORY_ADD:
		return tactus_memory_add(program, &argument->memory);
	case TACT_BARE_MEMORY_REMOVE:
		return tactus_memory_remove(program, &argument->memory);
	case TACT_BARE_KICK:
		return tactus_program_kick(program, argument->kick.cores);
	case TACT_BARE_ATTACH:
		return tactus_pci_attach(program, &argument->attach);
	case TACT_BARE_DETACH:
		return argument->device.reserved
			       ? -EINVAL
			       : tactus_pci_detach(program, argument->device.device);
	case TACT_BARE_IRQ_LINE:
		return tactus_pci_irq_line(program, &argument->line);
	case TACT_BARE_DMA_ADD:
		return tactus_dma_add(program, &argument->dma);
	case TACT_BARE_DMA_REMOVE:
		return tactus_pci_dma_remove(program, &argument->dma);
	case TACT_BARE_GIVE:
		return argument->core.reserved ? -EINVAL
					       : tactus_program_give(program, argument->core.core);
	case TACT_BARE_STOP:
		if (argument->core.reserved)
			return -EINVAL;
		fallthrough;
	default:
		return device_on_core(program, request, argument);
	}
}

static long device_ioctl(struct file *file, unsigned int request, unsigned long address)
{
	struct tactus_program *program = file->private_data;
	union device_argument argument;
	size_t size = device_size(request);
	long result;

	if (!size)
		return -ENOTTY;
	memset(&argument, 0, sizeof(argument));
	if (copy_from_user(&argument, (void __user *)address, size))
		return -EFAULT;
	if (request == TACT_BARE_HELLO)
		result = tactus_program_hello(program, &argument.hello);
	else if (!smp_load_acquire(&program->said_hello))
		return -EPROTO;
	else if (current->mm != program->mm)
		return -EPERM;
	else
		result = device_call(program, request, &argument);
	if (device_answers(request) && copy_to_user((void __user *)address, &argument, size))
		return -EFAULT;
	return result;
}

static ssize_t device_read(struct file *file, char __user *buffer, size_t bytes, loff_t *offset)
{
	struct tactus_program *program = file->private_data;
	u64 cores;

	if (bytes < sizeof(cores))
		return -EINVAL;
	for (;;) {
		cores = tactus_doorbell_rung(program, true);
		if (cores)
			return copy_to_user(buffer, &cores, sizeof(cores)) ? -EFAULT
									   : sizeof(cores);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible_timeout(
			    tactus_doorbell_wait, tactus_doorbell_rung(program, false), HZ / 4) < 0)
			return -ERESTARTSYS;
	}
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &tactus_doorbell_wait, table);
	return tactus_doorbell_rung(file->private_data, false) ? EPOLLIN | EPOLLRDNORM : 0;
}

static int device_insert(struct tactus_program *program, struct vm_area_struct *vma, void *page,
			 bool write)
{
	int error;

	if (!write && vma->vm_flags & VM_WRITE)
		return -EACCES;
	compat_vma_flags(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_MIXEDMAP,
			 VM_MAYEXEC | (write ? 0 : VM_MAYWRITE));
	error = vm_insert_page(vma, vma->vm_start, virt_to_page(page));
	return error
		       ?: tactus_memory_map_page(program, vma->vm_start, virt_to_phys(page),
						 _PAGE_NX | (write ? _PAGE_RW : 0));
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct tactus_program *program = file->private_data;
	struct tactus_core *core;
	int error;

	if (!smp_load_acquire(&program->said_hello))
		return -EPROTO;
	if (current->mm != program->mm)
		return -EPERM;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_flags & VM_EXEC)
		return -EINVAL;
	if (vma->vm_pgoff >= TACT_BARE_MAP_BAR(0, 0) >> PAGE_SHIFT)
		return tactus_bar_map(program, vma);
	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_pgoff == TACT_BARE_MAP_CLOCK)
		return device_insert(program, vma, tactus_clock_page, false);
	if (vma->vm_pgoff < 2 || vma->vm_pgoff >= 2 + 2 * TACT_BARE_MAX_CORES)
		return -EINVAL;
	core = tactus_program_core(program, vma->vm_pgoff / 2 - 1);
	if (!core)
		return -ENXIO;
	if (vma->vm_pgoff & 1)
		error = device_insert(program, vma, core->info, false);
	else
		error = device_insert(program, vma, core->user, true);
	tactus_core_put(core);
	return error;
}

static int device_open(struct inode *inode, struct file *file)
{
	file->private_data = tactus_program_new();
	return file->private_data ? 0 : -ENOMEM;
}

static int device_release(struct inode *inode, struct file *file)
{
	tactus_program_end(file->private_data);
	return 0;
}

/* The CPUs that a file holds, for /proc/PID/fdinfo. */
static void device_notify_core(struct tactus_core *core, void *data)
{
	seq_printf(data, "tactus-core-%u:\tCPU %u\n", core->index, core->cpu);
}

static void device_show(struct seq_file *text, struct file *file)
{
	tactus_program_each(file->private_data, device_notify_core, text);
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.read = device_read,
	.poll = device_poll,
	.mmap = device_mmap,
	.show_fdinfo = device_show,
	.llseek = noop_llseek,
};

/* udev sets the group (70-tactus.rules). */
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tactus",
	.fops = &device_operations,
	.mode = 0660,
};

bool tactus_device_owns(const struct vm_area_struct *vma)
{
	return vma->vm_file && vma->vm_file->f_op == &device_operations;
}

int tactus_device_start(void)
{
	return misc_register(&device);
}

void tactus_device_stop(void)
{
	misc_deregister(&device);
}
