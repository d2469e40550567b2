/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include "odd.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/bare.h"

#define PAGE 4096

static void map_at(void *page, size_t bytes, int protection, int flags, int file, off_t place)
{
	mmap(page, bytes, protection, flags | MAP_FIXED, file, place);
}

/* A file of one page in a mapping of two; it may be truncated while it is mapped. */
static void map_file(struct chance *chance, void *page, int file)
{
	const int protection = chance_below(chance, 2) ? PROT_READ : PROT_READ | PROT_WRITE;

	if (file < 0)
		return;
	if (!ftruncate(file, PAGE))
		map_at(page, 2 * PAGE, protection,
		       chance_below(chance, 2) ? MAP_SHARED : MAP_PRIVATE, file, 0);
	fcntl(file, F_ADD_SEALS, chance_below(chance, 3) ? 0 : (int)chance_below(chance, 32));
	if (chance_below(chance, 3) == 0 && ftruncate(file, (off_t)chance_below(chance, 3) * 2048))
		return;
	close(file);
}

/* Another kind of mapping at that page: of a driver, of a file, of huge pages, of nothing. */
static void odd_mapping(struct chance *chance, int device, void *page)
{
	const int shared = chance_below(chance, 2) ? MAP_SHARED : MAP_PRIVATE;
	int file;

	switch (chance_below(chance, 9)) {
	case 0:
		map_at(page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		break;
	case 1:
		file = open("/dev/zero", O_RDWR);
		map_at(page, PAGE, PROT_READ | PROT_WRITE, shared, file, 0);
		close(file);
		break;
	case 2:
		map_file(chance, page, memfd_create("odd", MFD_ALLOW_SEALING));
		break;
	case 3:
		map_file(chance, page, open("/tmp/odd", O_RDWR | O_CREAT, 0600));
		break;
	case 4:
		map_file(chance, page, memfd_create("huge", MFD_HUGETLB));
		break;
	case 5:
		file = open("/proc/self/exe", O_RDONLY);
		map_at(page, PAGE, PROT_READ | PROT_EXEC, shared, file, 0);
		close(file);
		break;
	case 6:
		/* Pages of the module itself, and of another program. */
		file = chance_below(chance, 2) ? device : open(TACT_BARE_DEVICE, O_RDWR);
		map_at(page, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		       (off_t)(chance_below(chance, 6) * PAGE));
		if (file != device)
			close(file);
		break;
	case 7:
		map_at(page, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
		break;
	default:
		madvise(page, PAGE,
			(const int[]){MADV_DONTFORK, MADV_WIPEONFORK, MADV_FREE, MADV_PAGEOUT,
				      MADV_REMOVE, MADV_HUGEPAGE}[chance_below(chance, 6)]);
	}
}

void odd_memory(struct chance *chance, int device, uint8_t *arena, unsigned pages)
{
	void *page = arena + chance_below(chance, pages) * 4096;

	switch (chance_below(chance, 7)) {
	case 0:
		mmap(page, 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0);
		break;
	case 1:
		mprotect(page, 4096, (int)chance_below(chance, 8));
		break;
	case 2:
		madvise(page, 4096, MADV_DONTNEED);
		break;
	case 3:
		munmap(page, 4096);
		break;
	case 4:
		odd_mapping(chance, device, page);
		break;
	case 5:
		mmap(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0);
		odd_code(chance, page, 4096);
		break;
	default:
		mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED,
		       arena + chance_below(chance, pages) * 4096);
	}
}

/* The program's file in a child: the child sent HELLO itself, or its parent did. */
static void in_child(struct chance *chance, int device, void (*act)(struct chance *chance))
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ualarm(20000, 20000);
	if (chance_below(chance, 2))
		ioctl(device, TACT_BARE_HELLO, &hello);
	act(chance);
	if (chance_below(chance, 2))
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

void odd_process(struct chance *chance, int device, void (*act)(struct chance *chance))
{
	pid_t child;

	switch (chance_below(chance, 6)) {
	case 0:
		/* It shares the address space, so to the module it is the program. */
		child = vfork();
		if (child == 0) {
			ualarm(20000, 20000);
			act(chance);
			_exit(0);
		}
		break;
	case 1:
		/* It outlives the program for a moment, with the file open. */
		child = fork();
		if (child == 0) {
			usleep((unsigned)chance_below(chance, 20000));
			_exit(0);
		}
		return;
	case 2:
		close(dup(device));
		return;
	case 3:
		/* While calls on the file are under way. */
		if (chance_below(chance, 4) == 0)
			close(device);
		return;
	case 4:
		if (chance_below(chance, 8) == 0)
			execl("/bin/true", "true", (char *)NULL);
		return;
	default:
		child = fork();
		if (child == 0)
			in_child(chance, device, act);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

void odd_code(struct chance *chance, uint8_t *code, size_t bytes)
{
	static const uint8_t system_call[] = {0x0f, 0x05};

	for (size_t i = 0; i + 8 <= bytes; i += 8) {
		uint64_t word = chance_next(chance);

		memcpy(code + i, &word, sizeof(word));
		if (chance_below(chance, 3) == 0)
			memcpy(code + i + chance_below(chance, 6), system_call,
			       sizeof(system_call));
	}
}

void odd_wake_often(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
	const struct itimerspec often = {.it_interval.tv_nsec = 5000000,
					 .it_value.tv_nsec = 5000000};
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (!timer_create(CLOCK_MONOTONIC, &event, &timer))
		timer_settime(timer, 0, &often, NULL);
}
