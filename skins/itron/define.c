/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extended SVCs and exception handlers: functions of the program by number. */
#define _GNU_SOURCE /* SA_NODEFER */
#include "core.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include <tactus/skin.h>

/* The members of every packet that defines a function. */
struct definition {
	ATR attributes;
	FP entry;
};
_Static_assert(sizeof(struct definition) == sizeof(T_DSVC), "T_DSVC has other members");
_Static_assert(sizeof(struct definition) == sizeof(T_DEXC), "T_DEXC has other members");

ER itron_defined(const void *packet, FP *entry)
{
	struct definition definition;

	*entry = NULL;
	if (packet == ITRON_NO_PACKET)
		return E_OK;
	if (itron_bad(packet))
		return E_PAR;
	memcpy(&definition, packet, sizeof(definition));
	if (definition.attributes & ~ITRON_ATTRIBUTES)
		return E_RSATR;
	if (itron_bad((const void *)(uintptr_t)definition.entry))
		return E_PAR;
	*entry = definition.entry;
	return E_OK;
}

#define SVCS 256

static FP svc[SVCS];

ER itron_define_svc(FN code, FP entry)
{
	if (code <= 0 || code >= SVCS)
		return E_PAR;
	svc[code] = entry;
	return E_OK;
}

ITRON_SVC_RESULT cal_svc(INT s_fncd, ...)
{
	ITRON_SVC_RESULT (*entry)(intptr_t, intptr_t, intptr_t);
	intptr_t parameter[3];
	va_list list;

	if (s_fncd <= 0 || s_fncd >= SVCS || !svc[s_fncd])
		return E_RSFN;
	entry = (ITRON_SVC_RESULT(*)(intptr_t, intptr_t, intptr_t))(void (*)(void))svc[s_fncd];
	va_start(list, s_fncd);
	for (int i = 0; i < 3; i++)
		parameter[i] = va_arg(list, intptr_t);
	va_end(list);
	return entry(parameter[0], parameter[1], parameter[2]);
}

static const int kinds[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
static FP exception[KINDS];

static uint32_t index_of(uint32_t kind)
{
	uint32_t i = 0;

	while (i < KINDS && (uint32_t)kinds[i] != kind)
		i++;
	return i;
}

/* In the task that caused the exception, in secondary mode. When it returns, the instruction runs
 * again. */
static void take(int kind)
{
	const FP entry = exception[index_of((uint32_t)kind) % KINDS];

	((void (*)(intptr_t))entry)(kind);
}

ER itron_define_exception(uint32_t kind, FP entry)
{
	const uint32_t i = index_of(kind);
	/* The handler may leave by ext_tsk(), so the signal is not blocked in it. */
	const struct tact_fault_action action = {
		.handler = entry ? (void *)(uintptr_t)take : (void *)SIG_DFL,
		.flags = SA_NODEFER,
	};
	ER code;

	if (i == KINDS)
		return E_PAR;
	code = itron_begin();
	if (code)
		return code;
	if (entry)
		exception[i] = entry;
	/* Virtual time has no exceptions of tasks. */
	return tact_fault_action((int)kind, &action, NULL) ? E_NOSPT : E_OK;
}
