/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A plugin of the emulator, for guests whose instructions are counted. Their virtual CPUs run in
 * turn, and one nanosecond is one instruction of the CPU that runs, so a program sees the time of
 * the work of all CPUs. For each mark of a program (common/turns_mark.h), this plugin reports how
 * much of the time since an event was due the turns of other CPUs took. The guest cannot see it: it
 * executes the same instructions, and its time is the same.
 *
 * Turns are followed only while a program requests it: a guest boots, starts its load and takes its
 * CPUs at the emulator's own speed. Lines of the file, in the order of the marks: CPU, nanoseconds
 * since the event was due, and the part of the others. Call: -plugin tactus-turns.so,to=FILE. The
 * emulator runs one virtual CPU at a time here, so that nothing needs a lock.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/turns_mark.h"
#include "emulator.h"

#define CPUS  256u  /* at most */
#define TURNS 4096u /* the last ones; a power of two */

struct turn {
	const void *cpu;
	uint64_t begin; /* instructions of all CPUs before it */
};

int qemu_plugin_version = EMULATOR_INTERFACE;

static struct turn turns[TURNS];
static uint64_t turn_count;
static uint64_t executed; /* instructions, of all CPUs */
static struct {
	const void *cpu;
	uint64_t at;
} clock_reads[CPUS];
static FILE *file;
static uint64_t own_id;
static bool following;

static uint64_t *clock_read(void)
{
	unsigned int i = 0;

	while (i < CPUS - 1 && clock_reads[i].cpu && clock_reads[i].cpu != current_cpu)
		i++;
	clock_reads[i].cpu = current_cpu;
	return &clock_reads[i].at;
}

static void block_began(unsigned int told, void *data)
{
	(void)told;
	(void)data;
	if (turn_count && turns[(turn_count - 1) % TURNS].cpu == current_cpu)
		return;
	turns[turn_count++ % TURNS] = (struct turn){.cpu = current_cpu, .begin = executed};
}

/* Each instruction separately: a block may be left in its middle, for an access to a device. */
static void executes(unsigned int told, void *data)
{
	(void)told;
	(void)data;
	executed++;
}

static void clock_was_read(unsigned int told, void *data)
{
	(void)told;
	(void)data;
	*clock_read() = executed;
}

/* The part of the instructions from `from` to `to` that belongs to turns of others. */
static uint64_t of_others(uint64_t from, uint64_t to)
{
	uint64_t end = to, sum = 0;

	for (uint64_t i = turn_count; i > 0 && turn_count - i < TURNS && end > from; i--) {
		const struct turn *turn = &turns[(i - 1) % TURNS];
		const uint64_t begin = turn->begin > from ? turn->begin : from;

		if (turn->begin >= end)
			continue;
		if (turn->cpu != current_cpu)
			sum += end - begin;
		end = begin;
	}
	return sum;
}

static void begin(uint64_t id);

static void stored(unsigned int told, uint32_t access, uint64_t address, void *data)
{
	const uint64_t value = qemu_plugin_mem_get_value(access).data.u64;
	const uint64_t since = value & TURNS_SINCE;

	(void)told;
	(void)address;
	(void)data;
	if (value == TURNS_BEGIN || value == TURNS_END) {
		following = value == TURNS_BEGIN;
		/* Code that was translated before keeps its calls. */
		qemu_plugin_reset(own_id, begin);
	} else if ((value & TURNS_KIND) == TURNS_MARK && following) {
		const uint64_t to = *clock_read();

		fprintf(file, "%u %" PRIu64 " %" PRIu64 "\n",
			(unsigned int)(value >> TURNS_CPU & 0xff), since,
			of_others(to > since ? to - since : 0, to));
	}
}

static bool is(const struct qemu_plugin_insn *instruction, const void *bytes, size_t count)
{
	unsigned char own[16];

	return qemu_plugin_insn_size(instruction) == count &&
	       qemu_plugin_insn_data(instruction, own, count) == count &&
	       !memcmp(own, bytes, count);
}

static void follow(struct qemu_plugin_insn *instruction)
{
	static const unsigned char rdtsc[] = {0x0f, 0x31};
	static const unsigned char rdtscp[] = {0x0f, 0x01, 0xf9};

	qemu_plugin_register_vcpu_insn_exec_cb(instruction, executes, EMULATOR_NO_REGISTERS, NULL);
	if (is(instruction, rdtsc, sizeof(rdtsc)) || is(instruction, rdtscp, sizeof(rdtscp)))
		qemu_plugin_register_vcpu_insn_exec_cb(instruction, clock_was_read,
						       EMULATOR_NO_REGISTERS, NULL);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	static const unsigned char mark[] = {0x26, 0x48, 0x89, 0x02};

	(void)id;
	if (following)
		qemu_plugin_register_vcpu_tb_exec_cb(block, block_began, EMULATOR_NO_REGISTERS,
						     NULL);
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);

		if (following)
			follow(instruction);
		if (is(instruction, mark, sizeof(mark)))
			qemu_plugin_register_vcpu_mem_cb(instruction, stored, EMULATOR_NO_REGISTERS,
							 EMULATOR_STORES, NULL);
	}
}

static void ended(uint64_t id, void *data)
{
	(void)id;
	(void)data;
	fclose(file);
}

static void begin(uint64_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
}

int qemu_plugin_install(uint64_t id, const struct emulator_info *info, int count, char **words)
{
	static const char option[] = "to=";

	(void)info;
	if (count != 1 || strncmp(words[0], option, sizeof(option) - 1) != 0) {
		fprintf(stderr,
			"tactus-turns: no file is given: use -plugin tactus-turns.so,to=FILE\n");
		return -1;
	}
	file = fopen(words[0] + sizeof(option) - 1, "w");
	if (!file) {
		perror("tactus-turns: the file");
		return -1;
	}
	own_id = id;
	begin(id);
	return 0;
}
