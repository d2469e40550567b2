/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Correct programs in a storm: storm CPU SECONDS SEED [DEVICE]. While the fuzzer (fuzz.c) makes
 * random calls, these programs do what the library does: they take the CPU, add memory, run, and
 * add again what the core misses. Meanwhile their threads do to that memory and to the process what
 * Linux allows (storm_memory.c), and make their own calls on the device. From outside, Linux
 * compacts, drops, merges, freezes, and takes other CPUs offline. Then the programs end in some
 * way. The CPU comes back each time, and at the end no page is pinned any more.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "odd.h"
#include "storm_memory.h"
#include "storm_weather.h"

#define MEMORY  ((uint8_t *)0x200000000000ul)
#define THREADS 3
#define ACTIONS 40
#define ROUNDS  50

static struct {
	struct ring3 *self;
	const char *device;
	uint32_t cpu;
} storm;

/* Shared with the children. */
static struct totals {
	_Atomic uint64_t runs, added, calls, done;
} * totals;

static uint64_t walk(struct ring3 *self)
{
	for (uint64_t round = 1;; round++) {
		for (size_t i = 0; i < STORM_BYTES; i += STORM_PAGE)
			MEMORY[i]++;
		ring3_call(TACT_BARE_CALL_DOORBELL, 0);
		if (round % 16 == 0)
			return self->core;
	}
}

/* The owner: it adds what the core missed, as the library does. */
static void own(void)
{
	struct tact_bare_memory memory = {.address = (uintptr_t)MEMORY, .bytes = STORM_BYTES};
	int result;

	ring3_start(storm.self, walk);
	do {
		result = ring3_run(storm.self);
		totals->runs += result == 0;
	} while (result == -EINTR);
	if (result == 0 && storm.self->run.reason == TACT_BARE_LEFT && storm.self->run.cause > 999)
		totals->added += !ioctl(storm.self->file, TACT_BARE_MEMORY_ADD, &memory);
}

static void count(int result)
{
	totals->calls++;
	totals->done += result == 0;
}

static void call_device(struct chance *chance, int file)
{
	struct tact_bare_attach attach = {.lines = 1};
	struct tact_bare_irq_line line = {.event = (uint32_t)chance_below(chance, 24)};
	struct tact_bare_dma dma = {.address = (uintptr_t)MEMORY, .bytes = STORM_BYTES};
	struct tact_bare_device device = {0};

	snprintf(attach.name, sizeof(attach.name), "%s", storm.device);
	count(ioctl(file, TACT_BARE_ATTACH, &attach));
	line.device = dma.device = device.device = attach.device;
	dma.device_address = chance_below(chance, 4) * STORM_BYTES;
	count(ioctl(file, TACT_BARE_IRQ_LINE, &line));
	count(ioctl(file, TACT_BARE_DMA_ADD, &dma));
	if (chance_below(chance, 2))
		count(ioctl(file, TACT_BARE_DMA_REMOVE, &dma));
	if (chance_below(chance, 2))
		count(ioctl(file, TACT_BARE_DETACH, &device));
}

/* A call of another program that wants the same. */
static void call_rival(void)
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	struct tact_bare_take take = {.cpu = storm.cpu};
	int file = open(TACT_BARE_DEVICE, O_RDWR | O_CLOEXEC);

	count(ioctl(file, TACT_BARE_HELLO, &hello));
	count(ioctl(file, TACT_BARE_TAKE, &take));
	close(file);
}

static void call(struct chance *chance, int file)
{
	struct tact_bare_core core = {0};
	struct tact_bare_kick kick = {.cores = 1};
	struct tact_bare_memory memory = {
		.address = (uintptr_t)MEMORY + chance_below(chance, 500) * STORM_PAGE,
		.bytes = (1 + chance_below(chance, 12)) * STORM_PAGE,
	};
	struct pollfd wait = {.fd = file, .events = POLLIN};
	uint64_t cores;

	switch (chance_below(chance, 8)) {
	case 0:
		count(ioctl(file, TACT_BARE_STOP, &core));
		break;
	case 1:
		count(ioctl(file, TACT_BARE_KICK, &kick));
		break;
	case 2:
		count(ioctl(file, TACT_BARE_MEMORY_REMOVE, &memory));
		break;
	case 3:
		count(ioctl(file, TACT_BARE_MEMORY_ADD, &memory));
		break;
	case 4:
		count(poll(&wait, 1, 1) == 1 && read(file, &cores, 8) == 8 ? 0 : -1);
		break;
	case 5:
		/* Refused while the core runs. */
		count(ioctl(file, TACT_BARE_GIVE, &core));
		break;
	case 6:
		call_rival();
		break;
	default:
		call_device(chance, file);
	}
}

static void *rage(void *data)
{
	struct chance chance = {*(uint64_t *)data};

	odd_wake_often();
	for (int i = 0; i < ACTIONS; i++) {
		if (chance_below(&chance, 5) == 0)
			call(&chance, storm.self->file);
		else if (chance_below(&chance, 10) == 0)
			storm_process_do(&chance, MEMORY);
		else
			storm_memory_do(&chance, MEMORY);
	}
	return NULL;
}

static void __attribute__((noreturn)) one_program(struct chance *chance)
{
	uint64_t seeds[THREADS];
	pthread_t threads[THREADS];

	/* The test ignores its messages after one of its own calls has taken its core. */
	if (!freopen("/dev/null", "w", stdout))
		_exit(2);
	while (!storm_memory_map(chance, MEMORY))
		;
	storm.self = ring3_take(ring3_open(), storm.cpu);
	ring3_add_all(storm.self->file);
	for (int i = 0; i < THREADS; i++) {
		seeds[i] = chance_next(chance);
		pthread_create(&threads[i], NULL, rage, &seeds[i]);
	}
	odd_wake_often();
	for (int i = 0; i < ROUNDS; i++)
		own();
	if (chance_below(chance, 3) == 0)
		abort();
	if (chance_below(chance, 2))
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

static void on_alarm(int number)
{
	(void)number;
}

static bool has_ended(void *data)
{
	return waitpid(*(pid_t *)data, NULL, WNOHANG) != 0;
}

/* Returns whether it ended in time, by itself or because it was killed at a random moment. */
static bool one_child(struct chance *chance)
{
	unsigned until_us = (unsigned)chance_below(chance, 400000);
	pid_t child = fork();
	bool ended;

	if (child == 0) {
		struct chance own_chance = {chance_next(chance)};

		setpgid(0, 0);
		one_program(&own_chance);
	}
	chance_next(chance);
	for (unsigned us = 0; us < until_us; us += 40000) {
		storm_weather_do(chance, child);
		usleep(40000);
	}
	if (chance_below(chance, 2))
		kill(child, SIGKILL);
	ended = becomes(has_ended, &child);
	kill(-child, SIGKILL);
	kill(child, SIGKILL);
	if (!ended)
		waitpid(child, NULL, 0);
	return ended;
}

int case_storm(int count_, char **words)
{
	double end = now_ms() + 1e3 * (count_ > 2 ? atof(words[2]) : 10);
	struct chance chance = {count_ > 3 ? strtoull(words[3], NULL, 10) : 1};
	struct sigaction action = {.sa_handler = on_alarm};
	unsigned programs = 0, asleep = 0;
	long pinned;
	bool calm;

	storm.cpu = count_ > 1 ? (uint32_t)atoi(words[1]) : 1;
	storm.device = count_ > 4 ? words[4] : "0000:00:00.0";
	totals = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGALRM, &action, NULL);
	storm_weather_prepare(cpu_is_online(storm.cpu + 1) ? storm.cpu + 1 : 0);
	while (now_ms() < end) {
		programs++;
		asleep += !one_child(&chance);
		if (!cpu_comes_back(storm.cpu)) {
			check(false, "storm: program %u: CPU %u is lost", programs, storm.cpu);
			return 1;
		}
		progress("storm: %u programs, %llu runs, %u asleep", programs,
			 (unsigned long long)totals->runs, asleep);
	}
	check(totals->runs > 0 && totals->added > 0 && totals->done > 0,
	      "storm: seed %s, %u programs (%u too long), %llu runs, memory added anew %llu times, "
	      "%llu calls beside, %llu done",
	      count_ > 3 ? words[3] : "1", programs, asleep, (unsigned long long)totals->runs,
	      (unsigned long long)totals->added, (unsigned long long)totals->calls,
	      (unsigned long long)totals->done);
	calm = becomes(storm_weather_is_calm, &pinned);
	check(calm, "storm: %ld pages are pinned still", pinned);
	return checks_failed();
}
