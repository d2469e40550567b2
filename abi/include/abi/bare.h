/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * The boundary between a program and the module that hands it processors (kmod/): the calls on
 * /dev/tactus, the control area of a core, and the calls that ring 3 on a core makes.
 *
 * Terms.
 *   core     a processor taken from Linux, with an index (0 … 30) within the program.
 *   program  an open file of /dev/tactus and the address space that said hello on it.
 *   owner    the Linux thread that sleeps in TACT_BARE_RUN for a core.
 *   device   a PCI device that is bound to the module's driver, with an index (0 … 7) within the
 *            program that it is attached to. Its interrupts are lines 0, 1, ….
 *   ticks    the time-stamp counter (rdtsc), the one clock of a core; TACT_BARE_MAP_CLOCK turns it
 *            into CLOCK_MONOTONIC.
 *
 * A core's life.
 *   open, HELLO     revision checked; every other call before it is refused with EPROTO.
 *   TAKE            Linux lets go of the processor; it waits, halted, in code of the module's own.
 *   mmap            the user part (read and write), the information page and the clock (read).
 *                   What is mapped so is mapped on the program's cores too, at the same address.
 *   MEMORY_ADD      pins memory of the program and maps it on its cores. Nothing else is mapped
 *                   there: anything not added faults (TACT_BARE_FAULT, vector 14).
 *   START           sets where ring 3 begins and where the upcalls go, and resets the user part:
 *                   `masked` = 1, no events, no frame busy. Events from then on are kept.
 *   RUN             the core runs until something stops it; the caller sleeps, interruptibly. A
 *                   signal, a stop, a debugger or the freezer wakes the owner: the core is parked
 *                   with all its state, and goes on at the next RUN. ioctl() fails with EINTR when
 *                   a handler ran, or restarts by itself (SA_RESTART).
 *   GIVE, close     Linux gets the processor back. So it does however the program ends.
 *
 * Ring 3 on a core.
 *   The first RUN after START enters at start.ip with rsp = start.sp, rdi = start.argument, the
 *   other general registers 0, FS and GS bases as given, the extended state initial, `masked` = 1.
 *   CS is 0x33 and SS 0x2b, as in Linux. There is no 32-bit code. FSGSBASE instructions work, and
 *   so does XSAVE; XCR0 may lack components that Linux has (read it with xgetbv): the module never
 *   touches extended state between RUNs, so who switches contexts in an upcall saves it there.
 *
 * Upcalls. Three kinds, each with an entry, a stack and a frame in the user part:
 *   events   the timer, kicks, devices. Logged as bits in `events`; delivered when `masked` is 0.
 *   faults   an exception of ring 3. Synchronous: delivered even while masked.
 *   calls    `syscall` with a number that is not one of TACT_BARE_CALL_*: a Linux call. Synchronous
 *            too. The instruction has been done: frame.ip is behind it, rcx and r11 are clobbered.
 *   The module stores ip, sp and flags of the interrupted code in the frame, the old `masked` in
 *   frame.masked, sets `masked` = 1 and, for faults and calls, frame.busy = 1; then it enters
 *   entry[kind] with rsp = stack[kind]. All other registers are those of the interrupted code: push
 *   them first. Nothing is ever written to a stack: the module never follows a pointer of the
 *   program's.
 *   The program copies the frame before it sets `masked` = 0 (events) or `busy` = 0 (faults,
 * calls). A fault or call that finds its frame busy, or no entry, stops the core: RUN returns.
 *
 * Return from an upcall: wholly in ring 3. Push ss (0x2b), sp, flags, cs (0x33) and ip of the frame
 *   on the interrupted stack, below its red zone of 128 bytes; restore the registers; store
 *   `masked` = 0 (or frame.masked); iretq pops the five words.
 *   An event that comes between the store and the iretq is delivered on top; that is safe because
 *   the old frame has been copied. After the store look at `events` once more: what was logged
 *   while masked causes no upcall of its own. (Set masked = 1, handle, repeat.)
 *
 * Events are taken by atomic exchange of `events` with 0. A bit says that it happened, not how
 * often.
 *
 * The timer. One shot: TACT_BARE_CALL_ARM(ticks) logs TACT_BARE_EVENT_TIMER at that time or just
 *   after it, never before; a time that has passed fires at once; 0 disarms; a later call replaces
 *   the former. user.deadline is the one that fired last.
 *
 * From Linux to a core: TACT_BARE_KICK, any thread of the program. From a core to a core:
 *   TACT_BARE_CALL_KICK. What was stored before the kick is seen by the upcall it causes.
 * From a core to Linux: TACT_BARE_CALL_DOORBELL marks the core as ringing; a read() of 8 bytes from
 *   the file waits (unless O_NONBLOCK) until a core rings, gives the mask of those that do and
 *   clears it; poll() tells POLLIN. A ring before the last was read merges with it. While Linux
 *   moves the doorbell to another CPU a ring may wake nobody: give poll() a limit, and look again.
 *
 * Memory. Private (anonymous, or a file's) and shared-memory pages (memfd, shm, hugetlbfs) can be
 *   added writable; a shared mapping of any other file is refused where it is writable. Pins count
 *   against RLIMIT_MEMLOCK, and so do the cores' page tables, one page for each 2 MiB in use, until
 *   the file is closed. What munmap, mprotect, mremap, madvise or exit take away leaves the cores
 *   before the call returns, and faults there from then on; add it anew when it is back.
 *
 * Devices. ATTACH gives one to the program:
 *   its interrupts (MSI-X, or MSI) with LINE: logged on a core as TACT_BARE_EVENT_DEVICE(event);
 *   its memory with mmap of TACT_BARE_MAP_BAR(device, bar) and an offset: uncached, whole pages, on
 *   the cores too; without the pages that hold the MSI-X table. Such a mapping is unmapped and
 *   protected as a whole: what would divide it fails with EINVAL;
 *   with DMA_ADD, memory of the program that it may reach, at addresses that the program chooses.
 *   That stays pinned until DMA_REMOVE or DETACH, whatever the program unmaps.
 *   Configuration space stays with Linux.
 *   A device must be alone in its IOMMU group, on a machine whose IOMMU remaps interrupts. Without,
 *   it is refused unless the module was loaded with unsafe_dma=1: nothing keeps it from all of the
 *   machine's memory then. DMA_ADD tells a physical address, and only DETACH takes it back.
 *   DETACH, and the end of the program, stop the device before anything that it could reach goes:
 *   bus mastering off, interrupts off, a reset where it knows one. GIVE turns off the lines that
 *   are aimed at that core. An event may come once too often after a change: ask the device.
 *
 * After fork the parent keeps its pages; the child has no core.
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
 * Requests of ioctl(), each with a pointer to the structure named. Each fails with
 *   ENOTTY  no such request                EFAULT  the structure cannot be read or written
 *   EPROTO  HELLO has not been said        EPERM   from another address space than HELLO
 *   EINVAL  a field out of range, or a reserved field that is not 0
 *   ENXIO   no core of that index          EIO     the core does not answer; it was given up
 * and with what is said at the request. Where the structure has a `reason`, a failure stores a
 * sentence there that says what to do.
 */

/* tact_bare_hello. ENOEXEC: another revision (the module's own is stored). EBUSY: said already.
 * ENOSYS: this machine or kernel cannot (reason). */
#define TACT_BARE_HELLO 0xB701u
/* tact_bare_take. ENODEV: no such CPU, or offline. EBUSY: taken already, or the last one of Linux,
 * or the module's max_cpus are taken. EPERM: Linux will not part with it; the module's cpus does
 * not name it; no thread of the program might run on it at HELLO; a machine check on it would end
 * Linux, and the module's broadcast_mce does not allow that. ENOMEM. EIO: it went away and did not
 * arrive. */
#define TACT_BARE_TAKE 0xB702u
/* tact_bare_core. EBUSY: an owner is in RUN. EIO: Linux could not start it (see the kernel log). */
#define TACT_BARE_GIVE 0xB703u
/* tact_bare_start. What is parked within a run is given up. EBUSY: an owner is in RUN. */
#define TACT_BARE_START 0xB704u
/* tact_bare_run. EBUSY: somebody else is in RUN for it. ENODATA: no START. EINTR: see above. */
#define TACT_BARE_RUN 0xB705u
/* tact_bare_core. RUN returns with TACT_BARE_STOPPED, the core parked. Without an owner in RUN, the
 * next RUN returns so. */
#define TACT_BARE_STOP 0xB706u
/* tact_bare_memory. EFAULT: address not mapped. EACCES: a mapping that cannot be pinned. ENOMEM:
 * RLIMIT_MEMLOCK or memory. What lies before `failed` was added. */
#define TACT_BARE_MEMORY_ADD 0xB707u
/* tact_bare_memory. What is not there is skipped. */
#define TACT_BARE_MEMORY_REMOVE 0xB708u
/* tact_bare_kick. ENXIO: a bit of a core that is not there; nothing was kicked. */
#define TACT_BARE_KICK 0xB709u
/* tact_bare_attach. ENODEV: no such device is bound to the module. EBUSY: a program has it, its
 * IOMMU group is in use, or the program has 8. EPERM: no IOMMU confines it. ENOSPC: it has no
 * interrupts of the kind. */
#define TACT_BARE_ATTACH 0xB70Au
/* tact_bare_device. ENXIO: no such device. EBUSY: memory of it is mapped still. */
#define TACT_BARE_DETACH 0xB70Bu
/* tact_bare_line. ENXIO: no such device, line or core. EOPNOTSUPP: Linux posts its interrupts, or
 * does not aim them as it is asked to. EIO, and others of Linux's own: it does not write it. The
 * kernel log tells which line, and what to do. */
#define TACT_BARE_LINE 0xB70Cu
/* tact_bare_dma. EFAULT: address not mapped. EACCES: a mapping that cannot be pinned. ENOMEM:
 * RLIMIT_MEMLOCK or memory. EEXIST: the device has something there. ERANGE: it cannot have it
 * there. ENXIO: no such device. */
#define TACT_BARE_DMA_ADD 0xB70Du
/* tact_bare_dma: what was added, by device_address and bytes. ENOENT: nothing was. EOPNOTSUPP:
 * there is no IOMMU; DETACH. */
#define TACT_BARE_DMA_REMOVE 0xB70Eu

struct tact_bare_hello {
	uint32_t revision; /* in: TACT_BARE_REVISION; out: the module's */
	uint32_t reserved;
	char reason[TACT_BARE_REASON];
};

struct tact_bare_take {
	uint32_t cpu;   /* Linux's number */
	uint32_t flags; /* TACT_BARE_TAKE_* */
	uint32_t core;  /* out: its index, the lowest that is free */
	uint32_t reserved;
	char reason[TACT_BARE_REASON];
};

/* Take its SMT siblings from Linux too; they are kept idle. Without it they stay with Linux. */
#define TACT_BARE_TAKE_SIBLINGS 1u

struct tact_bare_core {
	uint32_t core;
	uint32_t reserved;
};

enum tact_bare_kind {
	TACT_BARE_UP_EVENT,
	TACT_BARE_UP_FAULT,
	TACT_BARE_UP_CALL,
	TACT_BARE_UP_KINDS,
};

/* Addresses below the end of user space. An entry of 0: no such upcalls. */
struct tact_bare_start {
	uint32_t core;
	uint32_t reserved;
	uint64_t ip;
	uint64_t sp;
	uint64_t argument;
	uint64_t fs_base;
	uint64_t gs_base;
	uint64_t entry[TACT_BARE_UP_KINDS];
	uint64_t stack[TACT_BARE_UP_KINDS];
};

enum tact_bare_reason {
	TACT_BARE_LEFT = 1, /* TACT_BARE_CALL_LEAVE; cause: its argument */
	TACT_BARE_FAULT,    /* an exception without an upcall; cause: the vector */
	TACT_BARE_CALL,     /* a Linux call without an upcall; cause: its number */
	TACT_BARE_STOPPED,  /* TACT_BARE_STOP */
};

/* Why the core stopped, and ring 3's registers then. Only after STOPPED does RUN without START go
 * on where it was. */
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
	uint64_t bytes;   /* likewise; address and bytes 0 with TACT_BARE_MEMORY_ALL */
	uint32_t flags;
	uint32_t reserved;
	uint64_t pages;  /* out: added or removed; those that were there already do not count */
	uint64_t failed; /* out: the first address that could not be added */
	char reason[TACT_BARE_REASON];
};

/* Everything that is mapped now and can be added; the rest is skipped. */
#define TACT_BARE_MEMORY_ALL 1u

struct tact_bare_kick {
	uint64_t cores; /* one bit each */
};

enum tact_bare_dma_kind {
	TACT_BARE_DMA_TRANSLATED = 1, /* by an IOMMU: addresses are the program's choice */
	TACT_BARE_DMA_PHYSICAL,
};

struct tact_bare_attach {
	char name[16];   /* "0000:00:04.0" */
	uint32_t flags;  /* 0 */
	uint32_t lines;  /* in: how many are wanted, at most 24; out: how many there are, from 1 */
	uint32_t device; /* out */
	uint32_t dma;    /* out: enum tact_bare_dma_kind */
	uint64_t bar_bytes[6]; /* out: 0: not there, or not to be mapped */
	char reason[TACT_BARE_REASON];
};

struct tact_bare_device {
	uint32_t device;
	uint32_t reserved;
};

/* A line is off until it has been aimed. */
struct tact_bare_line {
	uint32_t device;
	uint32_t line;
	uint32_t core;
	uint32_t event; /* below 24 */
	uint32_t flags; /* TACT_BARE_LINE_* */
	uint32_t reserved;
};

#define TACT_BARE_LINE_OFF 1u

struct tact_bare_dma {
	uint32_t device;
	uint32_t flags;          /* TACT_BARE_DMA_* */
	uint64_t address;        /* all three: multiples of the page size */
	uint64_t bytes;          /* at most 1 GiB */
	uint64_t device_address; /* in; with physical addresses: 0, and out */
	char reason[TACT_BARE_REASON];
};

#define TACT_BARE_DMA_READ_ONLY 1u

/* Offsets for mmap(), MAP_SHARED, one page each; whole pages of a BAR. */
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
	uint64_t cause;         /* events logged; the exception's vector; the Linux call's number */
	uint64_t error;         /* of the exception */
	uint64_t address;       /* of the page fault */
	uint64_t ticks;         /* when the module's first instruction had been done */
	uint32_t masked;        /* what `masked` was */
	uint32_t busy; /* faults, calls: the program clears it when it has copied the frame */
};

/* The user part. The module reads `masked`, `events` and `busy` of it, and trusts none. */
struct tact_bare_user {
	uint32_t masked;   /* 1: events are logged only */
	uint32_t events;   /* TACT_BARE_EVENT_* logged */
	uint64_t deadline; /* ticks for which the timer that fired last had been armed */
	uint64_t reserved[6];
	struct tact_bare_frame frame[TACT_BARE_UP_KINDS];
};

#define TACT_BARE_EVENT_TIMER         1u
#define TACT_BARE_EVENT_KICK          2u
#define TACT_BARE_EVENT_DEVICE(event) (0x100u << (event))

enum tact_bare_timer {
	TACT_BARE_TIMER_TSC_DEADLINE = 1,
	TACT_BARE_TIMER_ONE_SHOT, /* of the local APIC: rounded up to its ticks */
};

/* The information page: read only, written by the core. */
struct tact_bare_info {
	uint32_t revision;
	uint32_t core;
	uint32_t cpu;   /* Linux's number */
	uint32_t timer; /* enum tact_bare_timer */
	uint32_t ticks_khz;
	uint32_t timer_khz;   /* of the local APIC, as measured; 0 with TSC_DEADLINE */
	uint32_t xsave_bytes; /* of the XSAVE area (not compacted) for all of XCR0 */
	uint32_t reserved;
	uint64_t upcalls[TACT_BARE_UP_KINDS];
	uint64_t shots;   /* timer interrupts that fired an armed deadline */
	uint64_t stale;   /* those that came after it had been disarmed */
	uint64_t early;   /* those that came before it, and were put off */
	uint64_t kicks;   /* received */
	uint64_t rings;   /* doorbells that were sent to Linux */
	uint64_t parks;   /* caused by signals, stops, freezes */
	uint64_t flushes; /* caused by the program's memory calls, and by each core that it gives */
	uint64_t strays;  /* interrupts that were Linux's, dropped */
	uint64_t nmis;
	uint64_t machine_checks;
	uint64_t interrupts; /* of devices */
};

/*
 * CLOCK_MONOTONIC, as Linux keeps it, for reading on a core. Where Linux's own clock is not the
 * time-stamp counter, it is followed to some microseconds.
 *   ns = base_ns + ((ticks - base_ticks) * mult + base_fraction) >> shift   (product of 128 bits)
 * between two equal, even values of sequence. wall_ns - monotonic is wall_offset_ns.
 */
struct tact_bare_clock {
	uint32_t sequence; /* odd while Linux writes */
	uint32_t valid;    /* 0: the time-stamp counter is no clock */
	uint64_t base_ticks;
	uint64_t base_ns;
	uint64_t base_fraction; /* ns << shift */
	int64_t wall_offset_ns;
	uint32_t mult;
	uint32_t shift;
};

/*
 * Calls of ring 3 on a core: `syscall` with the number in rax, arguments in rdi; the result is in
 * rax, rcx and r11 are clobbered. Numbers between these that mean nothing give -ENOSYS (-38).
 */
#define TACT_BARE_CALL_BASE 0x54420000u
/* (ticks) → 0. See "The timer". */
#define TACT_BARE_CALL_ARM 0x54420000u
/* () → events. Halts until an event is logged; returns at once if one is. Leaves `events` as it
 * is. -EINVAL (-22) unless masked. */
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
_Static_assert(sizeof(struct tact_bare_line) == 24, "ABI");
_Static_assert(sizeof(struct tact_bare_dma) == 192, "ABI");
_Static_assert(sizeof(struct tact_bare_clock) == 48, "ABI");
#endif

#endif
