/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of programs whose objects are made of static API by `tactus uitron-cfg`. */
#include "uitron4.h"

static ER (*configuration)(void);

ER vdef_cfg(ER (*make)(void))
{
	if (itron_bad((const void *)(uintptr_t)make))
		return E_PAR;
	configuration = make;
	return E_OK;
}

static void make_objects(void *result)
{
	*(ER *)result = configuration();
}

static bool any;

static void see(struct runtime_record *record)
{
	(void)record;
	any = true;
}

static bool has_handlers(void)
{
	any = false;
	runtime_each(&itron_objects, ITRON_CYCLIC, see);
	runtime_each(&itron_objects, ITRON_ALARM, see);
	return any;
}

ER vsta_knl(void)
{
	/* Above all tasks of µITRON, which run when everything is made. */
	const struct tact_task_attr attr = {
		.name = ITRON_SKIN ":init",
		.priority = TACT_PRIORITY_MAX,
		.flags = TACT_ON_CPU(0),
	};
	ER made = E_OK;
	int error;

	if (!configuration)
		return E_NOEXS;
	if (tact_cpus() && (runtime_in_handler() || (tact_task_self().id && !runtime_is_main())))
		return E_CTX;
	error = runtime_root(&itron_program, &attr, make_objects, &made);
	if (error < 0 || made)
		return made ? made : itron_result(error);
	return itron_result(runtime_stay(has_handlers));
}
