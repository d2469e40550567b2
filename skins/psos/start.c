/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The configuration, the start of the nucleus, and the start with a root function. */
#include "psos_internal.h"

#include <pthread.h>
#include <stdio.h>

#include "psos_task.h"
#include "psos_region.h"

#define RN0_BYTES    (1u << 20)
#define RN0_UNIT     256u
#define NMSGBUF      1000u
#define TICKS_HZ     100u
#define TICKS_HZ_MAX 1000000u
#define SLICE_TICKS  10u
#define ROOT_PRIO    230u
#define NS_S         1000000000u

/* The program's, if it has one. */
extern const pSOS_CT psos_config __attribute__((weak));

struct runtime_ticks psos_ticks = {RUNTIME_RATE(NS_S, TICKS_HZ)};

static pSOS_CT config;
static pthread_once_t configured = PTHREAD_ONCE_INIT;

static unsigned long or_default(unsigned long value, unsigned long instead)
{
	return value ? value : instead;
}

static void take_config(void)
{
	if (&psos_config)
		config = psos_config;
	config.kc_rn0len = or_default(config.kc_rn0len, RN0_BYTES);
	config.kc_rn0usize = or_default(config.kc_rn0usize, RN0_UNIT);
	config.kc_nmsgbuf = or_default(config.kc_nmsgbuf, NMSGBUF);
	config.kc_ticks2sec = or_default(config.kc_ticks2sec, TICKS_HZ);
	config.kc_ticks2slice = or_default(config.kc_ticks2slice, SLICE_TICKS);
	config.kc_rootpri = or_default(config.kc_rootpri, ROOT_PRIO);
	/* Another rate would change every time of the program, so the start refuses it. */
	if (config.kc_ticks2sec <= TICKS_HZ_MAX)
		runtime_set_rate(&psos_ticks, NS_S, (uint32_t)config.kc_ticks2sec);
}

/* Before main(), so that handlers need not do it; a library may call the skin before that. */
__attribute__((constructor)) static void configure_early(void)
{
	(void)pthread_once(&configured, take_config);
}

const pSOS_CT *psos_configured(void)
{
	return &config;
}

static const struct runtime_program program = {.main_name = "psos:main"};

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

unsigned long psos_begin(void)
{
	unsigned long code = 0;

	configure_early();
	if (config.kc_ticks2sec > TICKS_HZ_MAX) {
		fprintf(stderr, "psos: kc_ticks2sec is %lu: it is at most %u\n",
			config.kc_ticks2sec, TICKS_HZ_MAX);
		return ERR_SSFN;
	}
	if (runtime_begin(&program))
		return ERR_SSFN;
	if (psos_region_zero())
		return 0;
	pthread_mutex_lock(&making);
	if (!psos_region_zero())
		code = psos_region_zero_make();
	pthread_mutex_unlock(&making);
	if (code)
		fprintf(stderr,
			"psos: kc_rn0sadr, kc_rn0len, kc_rn0usize: there is no such region 0: "
			"error 0x%lx\n",
			code);
	return code ? ERR_SSFN : 0;
}

/* The body of ROOT. */
static void run_root(unsigned long function, unsigned long unused1, unsigned long unused2,
		     unsigned long unused3)
{
	void (*root)(void) = (void (*)(void))function;

	(void)unused1;
	(void)unused2;
	(void)unused3;
	psos_devices_init();
	root();
}

unsigned long psos_run(void (*root)(void))
{
	unsigned long words[4] = {(unsigned long)root};
	unsigned long tid;
	unsigned long code;

	configure_early();
	if (!root)
		return ERR_SSFN;
	code = t_create("ROOT", config.kc_rootpri, config.kc_rootsstk, config.kc_rootustk, 0, &tid);
	if (!code)
		code = t_start(tid, config.kc_rootmode, run_root, words);
	if (!code && runtime_stay(NULL))
		code = ERR_SSFN;
	return code;
}
