/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of calls are ignored: a refused call is a test, too. The timer of a thread wakes a
 * call that sleeps (storm.c). */
#define _GNU_SOURCE
#include "storm_memory.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_WRITE (PROT_READ | PROT_WRITE)

struct part {
	uint8_t *start;
	size_t bytes;
};

static struct part some(struct chance *chance, void *address)
{
	const size_t pages = STORM_BYTES / STORM_PAGE;
	size_t first = chance_below(chance, pages), count = 1 + chance_below(chance, 16);

	if (chance_below(chance, 16) == 0)
		return (struct part){address, STORM_BYTES};
	if (count > pages - first)
		count = pages - first;
	return (struct part){(uint8_t *)address + first * STORM_PAGE, count * STORM_PAGE};
}

static bool map_file(void *address, int file, int flags)
{
	bool done = file >= 0 && !ftruncate(file, STORM_BYTES) &&
		    mmap(address, STORM_BYTES, READ_WRITE, flags | MAP_FIXED, file, 0) == address;

	close(file);
	return done;
}

static bool map_shm(void *address)
{
	int id = shmget(IPC_PRIVATE, STORM_BYTES, IPC_CREAT | 0600);
	bool done = id >= 0 && shmat(id, address, SHM_REMAP) == address;

	shmctl(id, IPC_RMID, NULL);
	return done;
}

bool storm_memory_map(struct chance *chance, void *address)
{
	switch (chance_below(chance, 7)) {
	case 0:
		return map_shm(address);
	case 1:
		return map_file(address, memfd_create("storm", 0), MAP_SHARED);
	case 2:
		return map_file(address, memfd_create("storm", MFD_HUGETLB), MAP_SHARED);
	case 3:
		return map_file(address, open("/tmp", O_TMPFILE | O_RDWR, 0600), MAP_PRIVATE);
	case 4:
		return mmap(address, STORM_BYTES, READ_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == address;
	default:
		return mmap(address, STORM_BYTES, READ_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
				    (chance_below(chance, 2) ? MAP_POPULATE : MAP_NORESERVE),
			    -1, 0) == address;
	}
}

/* A page that user space is to supply, and never does: a thread that waits for it continues when
 * the file is closed. */
static void late_page(struct part part)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.range = {(uintptr_t)part.start, part.bytes},
					.mode = UFFDIO_REGISTER_MODE_MISSING};
	int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct pollfd wait = {.fd = file, .events = POLLIN};

	if (!ioctl(file, UFFDIO_API, &api) && !ioctl(file, UFFDIO_REGISTER, &range)) {
		madvise(part.start, part.bytes, MADV_DONTNEED);
		poll(&wait, 1, 2);
	}
	close(file);
}

/* The kernel itself keeps pages: pinned for a ring, and in a pipe. */
static void keep(struct part part)
{
	struct iovec pages = {part.start, part.bytes};
	uint8_t parameters[120] = {0};
	int ring = (int)syscall(SYS_io_uring_setup, 2, parameters), ends[2];

	if (ring >= 0)
		syscall(SYS_io_uring_register, ring, 0, &pages, 1);
	if (!pipe2(ends, O_NONBLOCK)) {
		vmsplice(ends[1], &pages, 1, SPLICE_F_NONBLOCK);
		close(ends[0]);
		close(ends[1]);
	}
	close(ring);
}

static void look(struct chance *chance, struct part part)
{
	static const char *const files[] = {"smaps", "pagemap", "maps", "numa_maps", "stat"};
	struct iovec here = {part.start, part.bytes};
	char path[32], text[512];
	int file;

	snprintf(path, sizeof(path), "/proc/self/%s", files[chance_below(chance, 5)]);
	file = open(path, O_RDONLY);
	for (int i = 0; i < 8 && read(file, text, sizeof(text)) > 0; i++)
		;
	close(file);
	file = open("/proc/self/clear_refs", O_WRONLY);
	if (write(file, &"1234"[chance_below(chance, 4)], 1) < 0)
		text[0] = 0;
	close(file);
	file = open("/proc/self/mem", O_RDWR);
	if (pwrite(file, part.start, 64, (off_t)(uintptr_t)part.start) < 0)
		text[0] = 0;
	close(file);
	process_vm_writev(getpid(), &here, 1, &here, 1, 0);
}

static void change_rights(struct chance *chance, struct part part)
{
	int rights = (int)chance_below(chance, 8), key;

	if (chance_below(chance, 4)) {
		mprotect(part.start, part.bytes, chance_below(chance, 2) ? READ_WRITE : rights);
		return;
	}
	key = (int)syscall(SYS_pkey_alloc, 0, 0);
	syscall(SYS_pkey_mprotect, part.start, part.bytes, rights, key);
	syscall(SYS_pkey_free, key);
}

static void move(struct chance *chance, struct part part, struct part to)
{
	static const int ways[] = {MREMAP_MAYMOVE, MREMAP_MAYMOVE | MREMAP_FIXED,
				   MREMAP_MAYMOVE | MREMAP_DONTUNMAP};
	int way = ways[chance_below(chance, 3)];

	if (to.start < part.start + part.bytes && part.start < to.start + part.bytes)
		return;
	mremap(part.start, part.bytes, part.bytes, way, to.start);
}

static void place(struct chance *chance, struct part part)
{
	unsigned long nodes = 1;
	void *pages[1] = {part.start};
	int node = 0, status;

	syscall(SYS_mbind, part.start, part.bytes, chance_below(chance, 5), &nodes, 2,
		chance_below(chance, 8));
	syscall(SYS_move_pages, 0, 1, pages, &node, &status, 2);
	syscall(SYS_migrate_pages, 0, 2, &nodes, &nodes);
}

void storm_memory_do(struct chance *chance, void *address)
{
	struct part part = some(chance, address);

	switch (chance_below(chance, 14)) {
	case 0:
		munmap(part.start, part.bytes);
		break;
	case 1:
		storm_memory_map(chance, address);
		break;
	case 2:
		change_rights(chance, part);
		break;
	case 3:
		move(chance, part, some(chance, address));
		break;
	case 4:
		syscall(SYS_mlock2, part.start, part.bytes, chance_below(chance, 2));
		break;
	case 5:
		munlock(part.start, part.bytes);
		break;
	case 6:
		late_page(part);
		break;
	case 7:
		keep(part);
		break;
	case 8:
		look(chance, part);
		break;
	case 9:
		place(chance, part);
		break;
	case 10:
		syscall(SYS_remap_file_pages, part.start, part.bytes, 0, chance_below(chance, 64),
			0);
		break;
	case 11:
		mmap(part.start, part.bytes, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
		break;
	default:
		/* All advice except the kinds that poison a page of the machine. */
		madvise(part.start, part.bytes, (int)chance_below(chance, 26));
	}
}

/* A debugger: it stops a process, writes into it, and releases it. */
static void debug(struct chance *chance, pid_t parent, void *address)
{
	if (ptrace(PTRACE_SEIZE, parent, 0, 0))
		return;
	ptrace(PTRACE_INTERRUPT, parent, 0, 0);
	for (int i = 0; i < 20 && waitpid(parent, NULL, __WALL | WNOHANG) == 0; i++)
		usleep(1000);
	ptrace(PTRACE_POKEDATA, parent, some(chance, address).start, chance_next(chance));
	if (chance_below(chance, 4))
		ptrace(PTRACE_DETACH, parent, 0, 0);
}

static void __attribute__((noreturn)) meddle(struct chance *chance, pid_t parent, void *address)
{
	cpu_set_t cpus;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (uint64_t i = chance_below(chance, 4); i; i--)
		storm_memory_do(chance, address);
	switch (chance_below(chance, 5)) {
	case 0:
		debug(chance, parent, address);
		break;
	case 1:
		kill(parent, SIGSTOP);
		usleep((unsigned)chance_below(chance, 5000));
		kill(parent, SIGCONT);
		break;
	case 2:
		CPU_ZERO(&cpus);
		CPU_SET(0, &cpus);
		sched_setaffinity(parent, sizeof(cpus), &cpus);
		break;
	case 3:
		execl("/bin/true", "true", (char *)NULL);
	}
	_exit(0);
}

void storm_process_do(struct chance *chance, void *address)
{
	pid_t parent = getpid(), child;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	child = chance_below(chance, 4) ? fork() : vfork();
	if (child == 0)
		meddle(chance, parent, address);
	chance_next(chance);
	if (chance_below(chance, 2))
		waitpid(child, NULL, 0);
}
