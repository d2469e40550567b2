/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * The boundary between a program and the module that gives it processors (kmod/): the calls on
 * /dev/tactus, the control area of a core, and the calls that ring 3 makes on a core.
 *
 * Terms.
 *   core     a processor that was taken from Linux. Its index within the program is 0 … 30
 *   program  an open file of /dev/tactus, and the address space that made the call HELLO on it
 *   owner    the Linux thread that sleeps in TACT_BARE_RUN for a core
 *   device   a PCI device that is bound to the module's driver. Its index within the program to
 *            which it is attached is 0 … 7. Its interrupts are the lines 0, 1, …
 *   ticks    the time-stamp counter (rdtsc), the only clock of a core. TACT_BARE_MAP_CLOCK converts
 *            it into CLOCK_MONOTONIC
 *
 * The life of a core.
 *   open, HELLO  the revision is checked. Every other call before HELLO is refused with EPROTO
 *   TAKE         Linux gives the processor away. The processor waits, halted, in code of the module
 *   mmap         maps the user part (read and write), the information page and the clock (both read
 *                only). What is mapped in this way is also mapped on the program's cores, at the
 *                same address
 *   MEMORY_ADD   pins memory of the program, and maps it on its cores. Nothing else is mapped
 *                there: an access to memory that was not added is a page fault (vector 14; without
 *                an upcall for faults, RUN returns with TACT_BARE_FAULT)
 *   START        sets where ring 3 begins and where the upcalls enter, and resets the user part:
 *                `masked` = 1, no events, no frame busy. Events from then on are kept
 *   RUN          the core runs until something stops it; the caller sleeps, interruptibly. A
 *                signal, a stop, a debugger or the freezer wakes the owner: the core is parked with
 *                its whole state, and continues at the next RUN. If a handler ran, ioctl() fails
 *                with EINTR, or Linux restarts it (SA_RESTART)
 *   GIVE, close  Linux gets the processor back. Linux also gets it back when the program ends in
 *                any other way
 *
 * Ring 3 on a core. The first RUN after START enters ring 3 at start.ip, with rsp = start.sp, rdi =
 * start.argument, the other general registers 0, the bases of FS and GS as given, the extended
 * state in its initial configuration, and `masked` = 1. CS is 0x33 and SS is 0x2b, as in Linux.
 * There is no 32-bit code. The instructions of FSGSBASE work, and so does XSAVE. XCR0 may lack
 * components that Linux has (read it with xgetbv). From then until the run ends, the module does
 * not touch the extended state, and an upcall does not save it: a program that switches contexts in
 * an upcall must save it there.
 *
 * Upcalls. There are three kinds. Each has an entry, a stack and a frame in the user part.
 *   events  the timer, kicks, devices. They are logged as bits in `events`, and delivered when
 *           `masked` is 0
 *   faults  an exception of ring 3. It is synchronous: it is delivered even while masked
 *   calls   `syscall` with a number that is not one of TACT_BARE_CALL_*: a Linux call. It is
 *           synchronous, too. The instruction has been executed: frame.ip is the address after it,
 *           and rcx and r11 are overwritten
 *
 * The module stores ip, sp and flags of the interrupted code in the frame, stores the old `masked`
 * in frame.masked, and sets `masked` = 1. For faults and calls it also sets frame.busy = 1. Then it
 * enters entry[kind] with rsp = stack[kind]. All other registers are those of the interrupted code:
 * push them first. The module never writes to a stack, and never follows a pointer of the program.
 *
 * The program copies the frame before it sets `masked` = 0 (events) or `busy` = 0 (faults, calls).
 * A fault or a call stops the core if its frame is busy, or if it has no entry: RUN returns.
 *
 * Return from an upcall. It is done in ring 3 only. Push ss (0x2b), sp, flags, cs (0x33) and ip of
 * the frame on the interrupted stack, below its red zone of 128 bytes; restore the registers; store
 * `masked` = 0 (or frame.masked); iretq pops the five words.
 *
 * An event that comes between the store and the iretq causes a nested upcall. This is safe, because
 * the old frame has been copied. After the store, look at `events` once more: an event that was
 * logged while masked causes no upcall of its own. (Set masked = 1, handle, repeat.)
 *
 * Events are taken by an atomic exchange of `events` with 0. A bit says that the event happened,
 * not how often.
 *
 * Timer. It is a one-shot timer: TACT_BARE_CALL_ARM(ticks) logs TACT_BARE_EVENT_TIMER at that time
 * or just after it, never before it. A time that has passed fires at once; 0 disarms the timer; a
 * later call replaces an earlier one. user.deadline is the deadline that fired last.
 *
 * Kicks. A thread of the program kicks a core by TACT_BARE_KICK; a core kicks a core by
 * TACT_BARE_CALL_KICK. The upcall that a kick causes sees everything that was stored before the
 * kick.
 *
 * Doorbell, from a core to Linux. TACT_BARE_CALL_DOORBELL marks the core as ringing. A read() of
 * 8 bytes from the file waits until a core rings (with O_NONBLOCK it does not wait), returns the
 * mask of the ringing cores, and clears it. poll() reports POLLIN. A ring that comes before the
 * last ring was read merges with that ring. While Linux moves the doorbell to another CPU, a ring
 * may wake no thread: give poll() a time limit, and look again.
 *
 * Memory. Private pages (anonymous, or of a file) and shared-memory pages (memfd, shm, hugetlbfs)
 * can be added as writable pages. A shared mapping of another file is refused if it is writable.
 * Until the file is closed, pinned pages count against RLIMIT_MEMLOCK, and so do the page tables of
 * the cores: one page for each 2 MiB in use. Memory that munmap, mprotect, mremap, madvise or exit
 * takes away leaves the cores before the call returns, and faults there from then on. When it is
 * mapped again, add it again.
 *
 * Devices. ATTACH gives a device to the program.
 *   interrupts  (MSI-X, or MSI) by LINE: logged on a core as TACT_BARE_EVENT_DEVICE(event)
 *   memory      by mmap of TACT_BARE_MAP_BAR(device, bar) plus an offset: uncached, whole pages,
 *               also on the cores. The pages that hold the MSI-X table cannot be mapped. Such a
 *               mapping can only be unmapped or protected as a whole: a call that would divide it
 *               fails with EINVAL
 *   DMA         by DMA_ADD: memory of the program that the device may reach, at addresses that the
 *               program chooses. It stays pinned until DMA_REMOVE or DETACH, even if the program
 *               unmaps it
 *
 * The configuration space of a device stays with Linux. A device must be alone in its IOMMU group,
 * on a machine whose IOMMU remaps interrupts. Otherwise it is refused, unless the module was loaded
 * with unsafe_dma=1. The device can then reach all memory of the machine; DMA_ADD returns a
 * physical address, and only DETACH removes the memory.
 *
 * DETACH, and the end of the program, stop the device before the memory that it could reach is
 * freed: bus mastering off, interrupts off, and a reset if the device has one. GIVE turns off the
 * lines that are aimed at that core. After a line was turned on or off, one event too many may
 * come: ask the device.
 *
 * After a fork the parent keeps its pages, and the child has no core.
 */
#ifndef ABI_BARE_H
#define ABI_BARE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define TACT_BARE_DEVICE      "/dev/tactus"
#define TACT_BARE_REVISION    1u
#define TACT_BARE_MAX_CORES   31u
#define TACT_BARE_MAX_DEVICES 8u
#define TACT_BARE_MAX_LINES   24u
#define TACT_BARE_PAGE        4096u
#define TACT_BARE_REASON      160

/*
 * Requests of ioctl(). Each takes a pointer to the structure that is named. Each can fail with
 *   ENOTTY  no such request
 *   EFAULT  the structure cannot be read or written
 *   EPROTO  the call HELLO was not made
 *   EPERM   the caller is in another address space than the caller of HELLO
 *   EINVAL  a field out of range, or a reserved field that is not 0
 *   ENXIO   no core of that index
 *   EIO     the core does not answer; it was given up
 *
 * and with the errors that are named at the request. If the structure has a `reason`, most of the
 * errors that are named at the request store a sentence there that says what to do.
 * TACT_BARE_DMA_REMOVE stores none.
 */

/*
 * tact_bare_hello.
 *   ENOEXEC  the program has another revision (the module stores its own)
 *   EBUSY    HELLO was already made
 *   ENOSYS   this machine or kernel cannot run cores (reason)
 */
#define TACT_BARE_HELLO 0xB701u
/*
 * tact_bare_take.
 *   ENODEV  no such CPU, or it is offline
 *   EBUSY   the CPU is already taken, or it is the last CPU of Linux, or the module's max_cpus are
 *           taken, or the program has 31 cores, or the machine is going down
 *   EPERM   Linux does not give this CPU away; or the module's parameter cpus does not name it; or
 *           no thread of the program could run on it at the time of HELLO; or a machine check on it
 *           would end Linux, and the module's parameter broadcast_mce does not allow that
 *   ENOMEM  no memory
 *   EIO     the CPU left Linux and did not arrive
 */
#define TACT_BARE_TAKE 0xB702u
/*
 * tact_bare_core.
 *   EBUSY  an owner is in RUN
 *   EIO    Linux could not start the CPU (see the kernel log)
 */
#define TACT_BARE_GIVE 0xB703u
/*
 * tact_bare_start. A run that is parked is given up.
 *   EBUSY  an owner is in RUN
 */
#define TACT_BARE_START 0xB704u
/*
 * tact_bare_run.
 *   EBUSY    another thread is in RUN for this core
 *   ENODATA  there was no START since the last run ended
 *   EINTR    a signal handler ran; the core is parked
 */
#define TACT_BARE_RUN 0xB705u
/* tact_bare_core. RUN returns with TACT_BARE_STOPPED, and the core is parked. If no owner is in
 * RUN, the next RUN returns in this way. */
#define TACT_BARE_STOP 0xB706u
/*
 * tact_bare_memory. The memory before `failed` was added.
 *   EFAULT  an address is not mapped
 *   EACCES  the mapping cannot be pinned
 *   ENOMEM  RLIMIT_MEMLOCK is exceeded, or there is no memory
 */
#define TACT_BARE_MEMORY_ADD 0xB707u
/* tact_bare_memory. Memory that was not added is skipped. */
#define TACT_BARE_MEMORY_REMOVE 0xB708u
/*
 * tact_bare_kick.
 *   ENXIO  there is no core for one of the bits; no core was kicked
 */
#define TACT_BARE_KICK 0xB709u
/*
 * tact_bare_attach. Other errors are those of Linux when it enables the device.
 *   ENODEV  no such device is bound to the module
 *   EBUSY   a program has the device, or its IOMMU group is in use, or the program has 8 devices
 *   EPERM   no IOMMU confines the device, or its INTx interrupt cannot be turned off
 *   ENOSPC  the device has no interrupts of this kind
 */
#define TACT_BARE_ATTACH 0xB70Au
/*
 * tact_bare_device.
 *   ENXIO  no such device
 *   EBUSY  memory of the device is still mapped
 */
#define TACT_BARE_DETACH 0xB70Bu
/*
 * tact_bare_irq_line. The kernel log says which line failed, and what to do. Other errors are
 * those of Linux when it writes the line.
 *   ENXIO       no such device, line or core
 *   EOPNOTSUPP  Linux posts the device's interrupts, or does not aim them at the core
 *   EIO         the core does not answer, or Linux has taken the interrupt away
 */
#define TACT_BARE_IRQ_LINE 0xB70Cu
/*
 * tact_bare_dma.
 *   EFAULT  an address is not mapped
 *   EACCES  the mapping cannot be pinned
 *   ENOMEM  RLIMIT_MEMLOCK is exceeded, or there is no memory
 *   EEXIST  the device already has memory at device_address
 *   ERANGE  the device cannot have memory at device_address
 *   EAGAIN  another thread changed the mapping at each attempt
 *   ENXIO   no such device
 */
#define TACT_BARE_DMA_ADD 0xB70Du
/*
 * tact_bare_dma: device_address and bytes name memory that was added.
 *   ENOENT      no such memory was added
 *   EOPNOTSUPP  there is no IOMMU; use DETACH
 */
#define TACT_BARE_DMA_REMOVE 0xB70Eu

struct tact_bare_hello {
	uint32_t revision; /* in: TACT_BARE_REVISION; out: the module's revision */
	uint32_t reserved;
	char reason[TACT_BARE_REASON];
};

struct tact_bare_take {
	uint32_t cpu;   /* Linux's number */
	uint32_t flags; /* TACT_BARE_TAKE_* */
	uint32_t core;  /* out: its index, the lowest free one */
	uint32_t reserved;
	char reason[TACT_BARE_REASON];
};

/* Also take the SMT siblings of the CPU from Linux; they stay idle. Without this flag they stay
 * with Linux. */
#define TACT_BARE_TAKE_SIBLINGS 1u

struct tact_bare_core {
	uint32_t core;
	uint32_t reserved;
};

enum tact_bare_kind {
	TACT_BARE_UP_EVENT,
	TACT_BARE_UP_FAULT,
	TACT_BARE_UP_CALL,
	TACT_BARE_UP_EVENTS,
};

/* All addresses are below the end of user space. An entry of 0: there are no upcalls of this
 * kind. */
struct tact_bare_start {
	uint32_t core;
	uint32_t reserved;
	uint64_t ip;
	uint64_t sp;
	uint64_t argument;
	uint64_t fs_base;
	uint64_t gs_base;
	uint64_t entry[TACT_BARE_UP_EVENTS];
	uint64_t stack[TACT_BARE_UP_EVENTS];
};

enum tact_bare_reason {
	TACT_BARE_LEFT = 1, /* TACT_BARE_CALL_LEAVE; cause: its argument */
	TACT_BARE_FAULT,    /* an exception without an upcall; cause: the vector */
	TACT_BARE_CALL,     /* a Linux call without an upcall; cause: its number */
	TACT_BARE_STOPPED,  /* TACT_BARE_STOP */
};

/* Why the core stopped, and the registers of ring 3 at that time. Only after TACT_BARE_STOPPED does
 * a RUN without START continue the run. */
struct tact_bare_run {
	uint32_t core;
	uint32_t reason; /* out: enum tact_bare_reason */
	uint64_t cause;
	uint64_t error;   /* of the exception */
	uint64_t address; /* of the page fault */
	uint64_t ip, sp, flags;
	uint64_t ax, bx, cx, dx, si, di, bp, r8, r9, r10, r11, r12, r13, r14, r15;
};

struct tact_bare_memory {
	uint64_t address; /* a multiple of the page size */
	uint64_t bytes;   /* a multiple of it; 0 with TACT_BARE_MEMORY_ALL, as address */
	uint32_t flags;
	uint32_t reserved;
	uint64_t pages;  /* out: added or removed, without those that were already there */
	uint64_t failed; /* out: the first address that could not be added */
	char reason[TACT_BARE_REASON];
};

/* All memory that is mapped now and can be added. Other memory is skipped. */
#define TACT_BARE_MEMORY_ALL 1u

struct tact_bare_kick {
	uint64_t cores; /* one bit for each core */
};

enum tact_bare_dma_kind {
	TACT_BARE_DMA_TRANSLATED = 1, /* by an IOMMU: the program chooses the addresses */
	TACT_BARE_DMA_PHYSICAL,
};

struct tact_bare_attach {
	char name[16];  /* "0000:00:04.0" */
	uint32_t flags; /* 0 */
	/* In: lines that are wanted, at most 24. Out: lines that there are, at least 1 if any were
	   wanted. */
	uint32_t lines;
	uint32_t device;       /* out */
	uint32_t dma;          /* out: enum tact_bare_dma_kind */
	uint64_t bar_bytes[6]; /* out; 0: there is none, or it cannot be mapped */
	char reason[TACT_BARE_REASON];
};

struct tact_bare_device {
	uint32_t device;
	uint32_t reserved;
};

/* A line is off until it is aimed at a core. */
struct tact_bare_irq_line {
	uint32_t device;
	uint32_t line;
	uint32_t core;
	uint32_t event; /* below 24 */
	uint32_t flags; /* TACT_BARE_IRQ_LINE_* */
	uint32_t reserved;
};

#define TACT_BARE_IRQ_LINE_OFF 1u

struct tact_bare_dma {
	uint32_t device;
	uint32_t flags;          /* TACT_BARE_DMA_* */
	uint64_t address;        /* a multiple of the page size, as the next two members */
	uint64_t bytes;          /* at most 1 GiB */
	uint64_t device_address; /* in; with TACT_BARE_DMA_PHYSICAL: in 0, out the address */
	char reason[TACT_BARE_REASON];
};

#define TACT_BARE_DMA_READ_ONLY 1u

/* Offsets for mmap() with MAP_SHARED. Each is one page, except that of a BAR: whole pages. */
#define TACT_BARE_MAP_CLOCK    0u
#define TACT_BARE_MAP_USER(c)  (((c)*2u + 2u) * TACT_BARE_PAGE)
#define TACT_BARE_MAP_INFO(c)  (((c)*2u + 3u) * TACT_BARE_PAGE)
#define TACT_BARE_BAR_SHIFT    40
#define TACT_BARE_DEVICE_SHIFT 43
#define TACT_BARE_MAP_BAR(device, bar)                                   \
	((1ull << 48) + ((uint64_t)(device) << TACT_BARE_DEVICE_SHIFT) + \
	 ((uint64_t)(bar) << TACT_BARE_BAR_SHIFT))

struct tact_bare_frame {
	uint64_t ip, sp, flags; /* of the interrupted code */
	uint64_t cause;   /* the events logged, the exception's vector, or the call's number */
	uint64_t error;   /* of the exception */
	uint64_t address; /* of the page fault */
	uint64_t ticks;   /* just after the module's first instruction */
	uint32_t masked;  /* the value of `masked` before */
	uint32_t busy;    /* faults, calls: the program clears it after it has copied the frame */
};

/* The user part. The module reads its `masked`, `events` and `busy`, and trusts none of them. */
struct tact_bare_user {
	uint32_t masked;   /* 1: events are only logged */
	uint32_t events;   /* TACT_BARE_EVENT_* logged */
	uint64_t deadline; /* deadline of the timer that fired last, ticks */
	uint64_t reserved[6];
	struct tact_bare_frame frame[TACT_BARE_UP_EVENTS];
};

#define TACT_BARE_EVENT_TIMER         1u
#define TACT_BARE_EVENT_KICK          2u
#define TACT_BARE_EVENT_DEVICE(event) (0x100u << (event))

enum tact_bare_timer {
	TACT_BARE_TIMER_TSC_DEADLINE = 1,
	TACT_BARE_TIMER_ONE_SHOT, /* timer of the local APIC, rounded up to its ticks */
};

/* The information page. The core writes it; the program can only read it. */
struct tact_bare_info {
	uint32_t revision;
	uint32_t core;
	uint32_t cpu;   /* Linux's number */
	uint32_t timer; /* enum tact_bare_timer */
	uint32_t ticks_khz;
	uint32_t timer_khz;   /* of the local APIC, measured; 0 with TSC_DEADLINE */
	uint32_t xsave_bytes; /* of the XSAVE area (not compacted) for all of XCR0 */
	uint32_t reserved;
	uint64_t upcalls[TACT_BARE_UP_EVENTS];
	uint64_t shots;   /* timer interrupts that fired an armed deadline */
	uint64_t stale;   /* timer interrupts that came after the deadline was disarmed */
	uint64_t early;   /* timer interrupts before the deadline, which were put off */
	uint64_t kicks;   /* kicks received */
	uint64_t rings;   /* doorbells that were sent to Linux */
	uint64_t parks;   /* caused by signals, stops, freezes */
	uint64_t flushes; /* caused by the program's memory calls, and by each core it gives back */
	uint64_t strays;  /* interrupts for Linux, dropped */
	uint64_t nmis;
	uint64_t machine_checks;
	uint64_t interrupts; /* interrupts of devices */
};

/*
 * CLOCK_MONOTONIC, as Linux keeps it, for reading on a core. If Linux's own clock is not the
 * time-stamp counter, these values follow Linux's clock to within some microseconds.
 *     ns = base_ns + (((ticks - base_ticks) * mult + base_fraction) >> shift);
 * with a product of 128 bits. The values belong together if `sequence` is even, and the same before
 * and after they are read. wall_offset_ns is the wall clock minus CLOCK_MONOTONIC.
 */
struct tact_bare_clock {
	uint32_t sequence; /* odd while Linux writes */
	uint32_t valid;    /* 0: the time-stamp counter cannot be used as a clock */
	uint64_t base_ticks;
	uint64_t base_ns;
	uint64_t base_fraction; /* ns << shift */
	int64_t wall_offset_ns;
	uint32_t mult;
	uint32_t shift;
};

/*
 * Calls of ring 3 on a core: `syscall` with the number in rax and the argument in rdi. The result
 * is in rax; rcx and r11 are overwritten. A number without a meaning, at least TACT_BARE_CALL_BASE
 * and below TACT_BARE_CALL_END, returns -ENOSYS (-38).
 */
#define TACT_BARE_CALL_BASE 0x54420000u
/* (ticks) → 0. See "Timer" above. */
#define TACT_BARE_CALL_ARM 0x54420000u
/* () → events. Halts until an event is logged; if one is already logged, returns at once. Does not
 * change `events`. -EINVAL (-22) if `masked` is 0. */
#define TACT_BARE_CALL_HALT 0x54420001u
/* (core) → 0; -ENXIO (-6): no such core. */
#define TACT_BARE_CALL_KICK 0x54420002u
/* () → 0. */
#define TACT_BARE_CALL_DOORBELL 0x54420003u
/* (value) does not return: RUN returns with TACT_BARE_LEFT. */
#define TACT_BARE_CALL_LEAVE 0x54420004u
#define TACT_BARE_CALL_END   0x54420100u

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct tact_bare_hello) == 168, "ABI");
_Static_assert(sizeof(struct tact_bare_take) == 176, "ABI");
_Static_assert(sizeof(struct tact_bare_start) == 96, "ABI");
_Static_assert(sizeof(struct tact_bare_run) == 176, "ABI");
_Static_assert(sizeof(struct tact_bare_memory) == 200, "ABI");
_Static_assert(sizeof(struct tact_bare_frame) == 64, "ABI");
_Static_assert(sizeof(struct tact_bare_user) == 256, "ABI");
_Static_assert(sizeof(struct tact_bare_info) == 144, "ABI");
_Static_assert(sizeof(struct tact_bare_attach) == 240, "ABI");
_Static_assert(sizeof(struct tact_bare_irq_line) == 24, "ABI");
_Static_assert(sizeof(struct tact_bare_dma) == 192, "ABI");
_Static_assert(sizeof(struct tact_bare_clock) == 48, "ABI");
#endif

#endif
