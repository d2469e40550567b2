/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doorbells, as a back end's devices (hal/common/devices.h) call them: by slot. */
#ifndef LINUX_DOORBELL_H
#define LINUX_DOORBELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/device.h"

/* What a real-time CPU does, as far as its kicks are concerned. */
enum doorbell_state {
	DOORBELL_RUNNING,  /* a kick needs a signal */
	DOORBELL_POLLING,  /* it reads the kick word by itself */
	DOORBELL_SLEEPING, /* in a futex wait on the kick word */
};

enum doorbell_kick {
	DOORBELL_KICK_NONE,
	DOORBELL_KICK_ASKED,
	DOORBELL_KICK_PASSED, /* a helper of the back end has passed it on */
	DOORBELL_KICK_SENT,   /* by a CPU; nothing interrupts that CPU before the kick is on its way
			       */
};

/* What takes the rings. */
enum doorbell_by {
	DOORBELL_BY_THREAD,     /* the doorbell's thread */
	DOORBELL_BY_CPU,        /* the CPU that the doorbell is aimed at, unless it runs a task */
	DOORBELL_BY_CPU_ASLEEP, /* the CPU while it sleeps; not while it polls, at a low priority */
};

/*
 * The page of a doorbell, which other processes map. If it is the page of a CPU (`direct`), the
 * kicks of that CPU use it, and another process wakes the CPU itself while the CPU sleeps.
 */
struct hal_doorbell {
	uint32_t mark;
	_Atomic uint32_t rung;
	_Atomic uint32_t sleeps; /* the doorbell's thread, at rung: Dekker's pattern with that */
	_Atomic uint32_t direct; /* enum doorbell_by */
	_Alignas(64) _Atomic uint32_t kick; /* enum doorbell_kick; any process sets ASKED */
	_Atomic uint32_t state;             /* enum doorbell_state; the CPU writes it */
};

/* A page, and the file by which others map it; file below 0: none. */
struct hal_doorbell *linux_doorbell_page_make(int *file);
void linux_doorbell_page_free(struct hal_doorbell *page, int file);

bool linux_doorbell_is(const char *name);
/* Make a doorbell in this slot. 0 or -TACT_ENOMEM. */
int linux_doorbell_attach(uint32_t slot, uint32_t lines, struct hal_device_info *info,
			  char reason[HAL_REASON_BYTES]);
/* Is there a doorbell in this slot? */
bool linux_doorbell_has(uint32_t slot);
void linux_doorbell_detach(uint32_t slot);
/* cpu NULL: aim at none. 0 or -TACT_ENOMEM (no thread). */
int linux_doorbell_aim(uint32_t slot, struct hal_cpu *cpu, uint32_t interrupt);
/* Another descriptor of its file, -TACT_EINVAL (no doorbell in this slot), -TACT_ENOMEM. */
int linux_doorbell_file(uint32_t slot);

#endif
