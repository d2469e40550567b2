/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The module as the back end uses it: calls from a core, and requests from Linux threads. */
#ifndef BARE_DEVICE_H
#define BARE_DEVICE_H

#include <stdint.h>

#include "abi/bare.h"
#include "arch/core.h"
#include "hal/cpu.h"

struct bare_core;

/* Calls of a core. */
static inline void core_arm(uint64_t ticks)
{
	(void)hal_arch_core_syscall(TACT_BARE_CALL_ARM, ticks);
}

static inline void core_halt(void)
{
	(void)hal_arch_core_syscall(TACT_BARE_CALL_HALT, 0);
}

static inline void core_kick(uint32_t core)
{
	(void)hal_arch_core_syscall(TACT_BARE_CALL_KICK, core);
}

static inline void core_ring(void)
{
	(void)hal_arch_core_syscall(TACT_BARE_CALL_DOORBELL, 0);
}

static inline __attribute__((noreturn)) void core_leave(uint64_t value)
{
	(void)hal_arch_core_syscall(TACT_BARE_CALL_LEAVE, value);
	__builtin_unreachable();
}

/*
 * Requests. Each returns 0 or a negative error. reason: of hal_start(), filled in when it fails.
 * Context: linux.
 */
int device_open(char reason[HAL_REASON_BYTES]);
/* A request that has no function here; argument: as abi/bare.h says. */
int device_request(unsigned number, void *argument);
void device_close(void);
int device_take(struct bare_core *core, char reason[HAL_REASON_BYTES]);
int device_start(struct bare_core *core);
int device_run(struct bare_core *core, struct tact_bare_run *run);
/* Pin memory and map it on all cores. pages: how many pages were not mapped before; may be NULL. */
int device_add(const void *memory, size_t bytes, uint64_t *pages);
int device_add_all(char reason[HAL_REASON_BYTES]);
/* Context: any Linux thread, also a signal handler. */
void device_kick(uint32_t core);

#endif
