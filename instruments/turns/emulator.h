/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part that turns.c uses of QEMU's interface for plugins, version 4 (QEMU 9.2 to 10.0, and
 * newer ones that still accept it): distributions ship the emulator without a header for them.
 * Source: "QEMU TCG Plugins" of QEMU's documentation, section "API".
 */
#ifndef TURNS_EMULATOR_H
#define TURNS_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMULATOR_INTERFACE 4
#define EMULATOR_EXPORT    __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct emulator_value {
	int type;
	union {
		uint64_t u64;
		struct {
			uint64_t low, high;
		} u128;
	} data;
};

enum { EMULATOR_NO_REGISTERS = 0 };
enum { EMULATOR_STORES = 2 };

typedef void (*emulator_executed)(unsigned int cpu, void *data);
typedef void (*emulator_accessed)(unsigned int cpu, uint32_t access, uint64_t address, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction, void *bytes, size_t count);
struct emulator_value qemu_plugin_mem_get_value(uint32_t access);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*translated)(uint64_t id,
							      struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, emulator_executed call,
					  int registers, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
					    emulator_executed call, int registers, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, emulator_accessed call,
				      int registers, int accesses, void *data);
void qemu_plugin_reset(uint64_t id, void (*begins)(uint64_t id));
void qemu_plugin_register_atexit_cb(uint64_t id, void (*ended)(uint64_t id, void *data),
				    void *data);

/*
 * The virtual CPU that has the turn: a variable of the emulator, for its modules. With several
 * CPUs, the CPU number that QEMU 10.0 passes to a call is wrong. So is the counter that an
 * operation without a call ("inline", "conditional") uses.
 */
extern __thread const void *current_cpu;

/* Called and read by the emulator. */
struct emulator_info;
EMULATOR_EXPORT extern int qemu_plugin_version;
EMULATOR_EXPORT int qemu_plugin_install(uint64_t id, const struct emulator_info *info, int count,
					char **words);

#endif
