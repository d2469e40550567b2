/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module: what its files share. Everything here runs under Linux; what runs on a core is in
 * core/, and shares only core/mailbox.h.
 *
 * Locks, in the order in which they are taken:
 * - program->lock: the cores of a program; may sleep for as long as a CPU takes to go offline
 * - tactus_pci_mutex: devices, and what they may reach
 * - tactus_hold_mutex: one CPU moves at a time
 * - program->memory_lock: one memory call at a time; user space determines how long (userfaultfd)
 * - program->unmap_lock: one range of memory leaves at a time; taken in notifiers of the mm
 * - program->tables_lock: the page tables, and program->cores[], devices[]; likewise
 * - core->giving_up, core->sending: the end of a core that does not answer; interrupts to it
 * - hold_lock (hold.c): which CPUs are held; raw, taken with interrupts off
 */
#ifndef KMOD_TACTUS_H
#define KMOD_TACTUS_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "abi/bare.h"
#include "core/mailbox.h"

struct tactus_pci;
struct tactus_program;

struct tactus_core {
	struct kref references;
	u32 index;
	u32 cpu;
	u32 apic_id;
	cpumask_var_t siblings; /* taken with the CPU */
	struct list_head bound; /* affinities of tasks and interrupts; under tactus_hold_mutex */
	u64 *top;               /* root of its page tables */
	struct list_head table_pages;
	void *image; /* its code and data */
	unsigned int image_order;
	struct core_mailbox *mailbox; /* in the image */
	struct tact_bare_user *user;
	struct tact_bare_info *info;
	bool reported;   /* its break was reported; likewise */
	bool started;    /* under `owners` */
	bool leaving;    /* nothing kicks it any more; under the program's tables_lock */
	atomic_t owners; /* 1: a thread is in RUN */
	atomic_t stop_asked;
	/*
	 * The core did not answer. After an NMI it is known to be halted. After an INIT that is
	 * unknown, and nothing that it could reach is freed until Linux has started the CPU
	 * anew.
	 */
	atomic_t given_up;
	struct mutex giving_up;
	bool unknown;
	spinlock_t sending; /* nothing is sent to a CPU that has gone back */
	bool held;          /* Linux does not have the CPU; under tactus_hold_mutex */
	bool retried;       /* by `again`; likewise */
	struct delayed_work again;
};

struct tactus_program {
	struct mutex lock;
	struct mutex memory_lock;
	struct mutex unmap_lock; /* in notifiers, which the holder of memory_lock may cause */
	spinlock_t tables_lock;
	struct mm_struct *mm;
	struct mmu_interval_notifier notifier;
	cpumask_var_t allowed; /* where the program might run at its HELLO */
	bool said_hello;
	bool over; /* the address space is gone */
	struct work_struct end_work;
	struct tactus_core *cores[TACT_BARE_MAX_CORES];
	struct tactus_pci *devices[TACT_BARE_MAX_DEVICES]; /* under tactus_pci_mutex too */
	u64 *top; /* the lower half, which all its cores have */
	struct list_head table_pages;
	u64 tables_charged; /* of its memory; under tables_lock */
};

/* main.c: parameters */
extern unsigned int tactus_answer_ms;

/* machine.c: can this machine have cores at all? */
const char *tactus_machine_refusal(void);
u64 tactus_machine_cr4(void);
u64 tactus_machine_xcr0(void);
void tactus_machine_fill(struct core_mailbox *mailbox);
/* The value of IA32_SPEC_CTRL in user mode; called while Linux still runs the CPU. */
int tactus_machine_speculation(struct tactus_core *core);

/* assume.c: does this kernel have what the module assumes? */
int tactus_assume_start(void);

/* device.c */
int tactus_device_start(void);
void tactus_device_stop(void);
/* Is it a mapping of the module itself? */
bool tactus_device_owns(const struct vm_area_struct *vma);

/* program.c */
struct tactus_program *tactus_program_new(void);
int tactus_program_hello(struct tactus_program *program, struct tact_bare_hello *hello);
void tactus_program_end(struct tactus_program *program);
int tactus_program_take(struct tactus_program *program, struct tact_bare_take *take);
int tactus_program_give(struct tactus_program *program, u32 index);
struct tactus_core *tactus_program_core(struct tactus_program *program, u32 index);
/* Calls visit for each core, without locks. */
void tactus_program_each(struct tactus_program *program,
			 void (*visit)(struct tactus_core *core, void *data), void *data);
int tactus_program_kick(struct tactus_program *program, u64 cores);

/* tables.c */
#define TACTUS_PAGE_PINNED BIT_ULL(9)
int tactus_tables_levels(void);
u64 *tactus_tables_page(struct list_head *pages);
void tactus_tables_free(struct list_head *pages);
int tactus_tables_map_core(struct tactus_core *core, u64 address, phys_addr_t physical, u64 bits);
void tactus_tables_unmap_core(struct tactus_core *core, u64 address);
void tactus_tables_remap_core(struct tactus_core *core, u64 address, phys_addr_t physical,
			      u64 bits);
int tactus_tables_prepare(struct list_head *spare);
bool tactus_tables_present(struct tactus_program *program, u64 address);
bool tactus_tables_map(struct tactus_program *program, struct list_head *spare, u64 address,
		       phys_addr_t physical, u64 bits);
void tactus_tables_attach(struct tactus_program *program, struct tactus_core *core);
/* The page to which tables of the processor's form lead. False: to none. */
bool tactus_tables_look_up(u64 *top, u64 address, phys_addr_t *physical);
/* Calls visit for each entry of the range that is not 0, until it returns false, or until enough
 * entries were visited for one call. Returns where to continue. */
u64 tactus_tables_walk(struct tactus_program *program, u64 start, u64 end,
		       bool (*visit)(u64 *entry, void *data), void *data);

/* memory.c: pages are added to the cores */
int tactus_memory_charge(struct mm_struct *mm, long pages);
bool tactus_memory_may_pin(const struct vm_area_struct *vma);
int tactus_memory_check(const struct tact_bare_memory *memory);
int tactus_memory_add(struct tactus_program *program, struct tact_bare_memory *memory);
/* A page that is not the program's memory. */
int tactus_memory_map_page(struct tactus_program *program, u64 address, phys_addr_t physical,
			   u64 bits);

/* unmap.c: pages leave the cores */
int tactus_memory_remove(struct tactus_program *program, struct tact_bare_memory *memory);
void tactus_memory_unmap_all(struct tactus_program *program);
extern const struct mmu_interval_notifier_ops tactus_memory_notifier;

/* image.c */
struct tactus_core *tactus_core_new(u32 index, u32 cpu); /* or NULL */
void tactus_core_get(struct tactus_core *core);
void tactus_core_put(struct tactus_core *core);
void tactus_image_arrived(struct tactus_core *core);
/* The core is halted for good: the next NMI is Linux's, if Linux starts this CPU by an NMI. */
void tactus_image_may_leave(struct tactus_core *core);

/* hold.c: which CPUs are held, and how they go back */
extern struct mutex tactus_hold_mutex; /* one CPU moves at a time */
extern bool tactus_hold_closed;        /* the machine is shutting down: no CPU is taken any more */
int tactus_hold_start(void);
void tactus_hold_stop(void);
void tactus_hold_set(unsigned int cpu, struct tactus_core *core);
struct tactus_core *tactus_hold_core(unsigned int cpu);
int tactus_hold_give(struct tactus_core *core);
void tactus_hold_give_siblings(struct tactus_core *core);
/* Reboot, kexec: give all CPUs back, whatever their programs do. */
void tactus_hold_give_everything(void);
/* Panic: halt them. */
void tactus_hold_halt_everything(void);
unsigned int tactus_hold_count(void); /* cores */
unsigned int tactus_hold_cpus(void);  /* with siblings */
void tactus_hold_each(void (*visit)(struct tactus_core *core, void *data), void *data);

/* take.c: a CPU goes from Linux to a core */
int tactus_take_start(void);
/* Before any lookup by the number, which comes from the program. */
int tactus_take_known(unsigned int cpu, char *reason);
int tactus_take(struct tactus_core *core, bool siblings, const struct cpumask *allowed,
		char *reason);
void tactus_take_home(void);

/* permit.c: may the program have it, and the CPUs that go with it? Called while Linux still runs
 * them. */
int tactus_permit(const struct tactus_core *core, const struct cpumask *allowed, char *reason);

/* affinity.c: tasks and interrupts that have only CPUs that are taken. Called before these CPUs go,
 * when they are gone, and when they are back. */
int tactus_affinity_save(struct tactus_core *core);
void tactus_affinity_taken(struct tactus_core *core);
void tactus_affinity_restore(struct tactus_core *core);
void tactus_affinity_drop(struct tactus_core *core);
/* The CPUs on which a thread of the calling program may run. */
void tactus_affinity_of_program(struct cpumask *mask);

/* speed.c: the frequency of a core; called while Linux still runs the CPU */
void tactus_speed_fill(struct tactus_core *core);

/* request.c: requests to a core, its answers, and what happens without an answer */
u32 tactus_core_state(const struct tactus_core *core);
/* The core itself says so. */
bool tactus_core_halted(const struct tactus_core *core);
/* It has halted, or was given up. */
bool tactus_core_dead(const struct tactus_core *core);
void tactus_request_run(struct tactus_core *core);
void tactus_request_park(struct tactus_core *core);
void tactus_request_unpark(struct tactus_core *core);
void tactus_request_no_run(struct tactus_core *core);
void tactus_request_drop(struct tactus_core *core);
/* Afterwards the core is dead, and nothing sends anything to it any more. */
void tactus_request_exit(struct tactus_core *core);
/* True: each core of the program has forgotten the entries that are no longer in its tables, or is
 * halted. False: a core may still reach their pages. */
bool tactus_request_flush(struct tactus_program *program);

/* run.c */
int tactus_run_start(struct tactus_program *program, const struct tact_bare_start *start);
int tactus_run(struct tactus_core *core, struct tact_bare_run *run);
int tactus_run_stop(struct tactus_core *core);

/* interrupt.c: interrupts from Linux's CPUs */
void tactus_interrupt_attention(struct tactus_core *core);
void tactus_interrupt_kick(struct tactus_core *core);
void tactus_interrupt_nmi(const struct tactus_core *core);
/* False: it is the first processor, which would start in the firmware. */
bool tactus_interrupt_init(const struct tactus_core *core);
u32 tactus_interrupt_own_number(void); /* of the local APIC; not preemptible */
void tactus_interrupt_send(u32 target, u32 command);

/* doorbell.c: interrupts from cores */
extern struct wait_queue_head tactus_doorbell_wait;
int tactus_doorbell_start(void);
void tactus_doorbell_stop(void);
u64 tactus_doorbell_rung(struct tactus_program *program, bool take);
void tactus_doorbell_notify(void); /* tells the cores where the doorbell is */
/* Ring as a core does, and count the rings. */
void tactus_doorbell_ring(void);
unsigned int tactus_doorbell_count(void);

/* clock.c */
/* time in ns, and its fraction << shift, at ticks; each tick after that adds mult >> shift */
struct tactus_slope {
	u64 ticks, ns, fraction;
	u32 mult, shift;
};

extern struct tact_bare_clock *tactus_clock_page;
bool tactus_clock_is_counter(void);
void tactus_clock_set(const struct tactus_slope *slope); /* unless it is the counter */
u64 tactus_clock_reported(void);                         /* the time that programs read now */
/* The time is unknown from now on; readers continue with the last factors. */
void tactus_clock_lose(void);
int tactus_clock_start(void);
void tactus_clock_stop(void);

/* follow.c */
void tactus_follow_start(void);
/* Linux reads another clock now. Called with Linux's own locks, so it only notes that. */
void tactus_follow_wake(void);
void tactus_follow_stop(void);

/* exits.c: reboot, kexec, suspend, panic */
int tactus_exits_start(void);
void tactus_exits_stop(void);

/* switch.S, blob.S */
extern char tactus_switch_page[];
void tactus_switch(u64 cr3, u64 cr4, u64 entry, u64 stack); /* does not return */
void tactus_switch_home(u64 cr3, u64 cr4, u64 home);        /* likewise; the core calls it */
void tactus_call(void *function);
extern const char tactus_blob[], tactus_blob_end[];

#endif
