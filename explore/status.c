/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The oracle of the scheduler, by the status segment that tools see. In virtual time nobody runs
 * between two scheduling points, so what is read here is one instant of all CPUs, and reading
 * disturbs nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/status.h"
#include "explore/scenario.h"

#define DESCRIPTORS 64

static const char *segment;

static const struct tact_status_header *header(void)
{
	return (const void *)segment;
}

static const struct tact_status_task *slot_at(uint32_t index)
{
	return (const void *)(segment + header()->slot_offset +
			      (size_t)index * header()->slot_stride);
}

static const struct tact_status_cpu *cpu_at(uint32_t index)
{
	return (const void *)(segment + header()->cpu_offset +
			      (size_t)index * header()->cpu_stride);
}

static int find_segment(void)
{
	/* A run is a young process: the segment is among its first descriptors. */
	for (int fd = DESCRIPTORS; fd >= 0; fd--) {
		char path[32], target[64];
		ssize_t length;

		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		if (strstr(target, "memfd:tactus-status"))
			return fd;
	}
	return -1;
}

void explore_status_open(void)
{
	int fd = find_segment();
	struct stat file;
	void *memory;

	if (fd < 0 || fstat(fd, &file))
		explore_fail("the program shows no status segment");
	memory = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		explore_fail("the status segment cannot be mapped");
	segment = memory;
	must(header()->magic == TACT_STATUS_MAGIC, "the status segment is not complete");
}

static uint32_t slot_of(tact_task_t task)
{
	uint32_t count = header()->cpus * header()->slots_per_cpu;

	for (uint32_t i = 0; i < count; i++)
		if (slot_at(i)->handle == task.id)
			return i;
	return UINT32_MAX;
}

bool explore_status(tact_task_t task, struct explore_status *status)
{
	uint32_t index = slot_of(task);
	const struct tact_status_task *slot;

	/* Between two CPUs a task is in nobody's table. */
	if (index == UINT32_MAX)
		return false;
	slot = slot_at(index);
	*status = (struct explore_status){
		.cpu = slot->cpu,
		.priority = slot->priority,
		.base_priority = slot->base_priority,
		.state = slot->state,
		.waits_for = slot->waits_for,
		.mode_switches = slot->mode_switches,
		.switches = slot->switches,
		.running = cpu_at(slot->cpu)->current_slot == index,
	};
	return true;
}

bool explore_waits(tact_task_t task, tact_object_t object)
{
	struct explore_status status;

	return explore_status(task, &status) && status.state & TACT_TASK_STATE_WAITING &&
	       status.waits_for == object.id;
}

void explore_check(const struct explore_actor *actor)
{
	uint32_t mine, per_cpu, first;
	const struct tact_status_task *self;

	if (!actor->task.id)
		return;
	mine = slot_of(actor->task);
	/* Moved while it is in secondary mode it is in no CPU's table for a moment. */
	if (mine == UINT32_MAX && tact_mode() == TACT_MODE_SECONDARY)
		return;
	must(mine != UINT32_MAX, "actor %u runs, but no CPU knows it", actor->index);
	self = slot_at(mine);
	if (self->state & TACT_TASK_STATE_RELAXED)
		return;
	must(self->state == TACT_TASK_STATE_READY, "actor %u runs in state 0x%x", actor->index,
	     self->state);
	must(cpu_at(self->cpu)->current_slot == mine,
	     "actor %u runs, but CPU %u believes slot %u does", actor->index, self->cpu,
	     cpu_at(self->cpu)->current_slot);
	if (actor->locked)
		return;
	per_cpu = header()->slots_per_cpu;
	first = self->cpu * per_cpu;
	for (uint32_t i = first; i < first + per_cpu; i++) {
		const struct tact_status_task *other = slot_at(i);

		must(!other->handle || other->state || other->priority <= self->priority,
		     "actor %u runs at priority %u while task 0x%x is ready at %u on CPU %u",
		     actor->index, self->priority, other->handle, other->priority, self->cpu);
	}
}

void explore_status_describe(char *text, uint32_t capacity)
{
	uint32_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < explore_actors() && used < capacity; i++) {
		const struct explore_actor *actor = explore_actor(i);
		struct explore_status status;

		if (!actor->task.id || actor->joined || !explore_status(actor->task, &status))
			continue;
		used += (uint32_t)snprintf(text + used, capacity - used,
					   "; actor %u: state 0x%x on CPU %u at %u, waits for 0x%x",
					   i, status.state, status.cpu, status.priority,
					   status.waits_for);
	}
}
