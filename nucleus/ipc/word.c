/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words. The calls that wait for words of a CPU are in rows, which their addresses select.
 * Invariant: no call waits for a word that is not empty, if only these calls write the word.
 */
#include "ipc/word.h"

#include <tactus/word.h>

#include "call/call.h"
#include "call/wait.h"

#define ROWS 64u

struct words {
	struct nuc_waitq row[ROWS]; /* struct pend_call */
	bool closed;
};

static struct words words[HAL_MAX_CPUS];

struct post_call {
	struct nuc_call call;
	uintptr_t *word;
	uintptr_t value;
};

struct pend_call {
	struct nuc_call call;
	uintptr_t *word;
	uintptr_t value;
};

static struct words *words_of(const struct nuc_cpu *cpu)
{
	return &words[cpu->hal.index];
}

static struct pend_call *pend_of(struct nuc_call *call)
{
	return base_container_of(call, struct pend_call, call);
}

void nuc_words_init_cpu(struct nuc_cpu *cpu)
{
	struct words *all = words_of(cpu);

	for (uint32_t i = 0; i < ROWS; i++)
		nuc_waitq_init(&all->row[i], &cpu->object, TACT_PRIO);
	all->closed = false;
}

/* Words that are neighbours, as in an array, are in different rows. */
static struct nuc_waitq *row_of(const struct nuc_cpu *cpu, const uintptr_t *word)
{
	const uint64_t number = (uintptr_t)word / sizeof(*word);

	return &words_of(cpu)->row[(number ^ number >> 6 ^ number >> 12) % ROWS];
}

/* The first call that waits for this word; NULL: none. */
static struct nuc_call *first_for(const struct nuc_waitq *row, const uintptr_t *word)
{
	base_list_for_each(link, &row->calls) {
		struct nuc_call *call = base_container_of(link, struct nuc_call, link);

		if (pend_of(call)->word == word)
			return call;
	}
	return NULL;
}

/* 0 if the call can be made: its home and its word are good. */
static int check(uint32_t cpu, const uintptr_t *word)
{
	if (!word || (uintptr_t)word % sizeof(*word))
		return -TACT_EINVAL;
	if (!nuc_cpu_count)
		return -TACT_EPERM;
	return cpu < nuc_cpu_count ? 0 : -TACT_ENXIO;
}

static int post_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct post_call *args = base_container_of(call, struct post_call, call);
	struct nuc_call *waiter = first_for(row_of(cpu, args->word), args->word);

	(void)object;
	if (waiter) {
		pend_of(waiter)->value = args->value;
		nuc_wake(cpu, waiter, 0);
		return 0;
	}
	if (*args->word)
		return -TACT_ENOSPC;
	*args->word = args->value;
	return 0;
}

int tact_word_post(uint32_t cpu, uintptr_t *word, uintptr_t value)
{
	NUC_CALL(struct post_call, args, post_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_CAST);
	int error = check(cpu, word);

	if (!error && !value)
		error = -TACT_EINVAL;
	if (error)
		return error;
	args.word = word;
	args.value = value;
	return nuc_call(&args.call);
}

static int pend_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct pend_call *args = pend_of(call);

	(void)object;
	if (*args->word) {
		args->value = *args->word;
		*args->word = 0;
		return 0;
	}
	if (words_of(cpu)->closed)
		return -TACT_EIDRM;
	return nuc_wait(cpu, call, row_of(cpu, args->word));
}

int tact_word_pend(uint32_t cpu, uintptr_t *word, uintptr_t *value, tact_timeout_t timeout)
{
	NUC_CALL(struct pend_call, args, pend_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_WAITS);
	int result = check(cpu, word);

	if (result)
		return result;
	args.word = word;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result && value)
		*value = args.value;
	return result;
}

static int close_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct words *all = words_of(cpu);

	(void)object;
	(void)call;
	all->closed = true;
	for (uint32_t i = 0; i < ROWS; i++)
		(void)nuc_wake_all(cpu, &all->row[i], -TACT_EIDRM);
	return 0;
}

void nuc_words_close(void)
{
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		NUC_CALL(struct nuc_plain_call, args, close_run, NUC_TYPE_CPU, nuc_handle_of_cpu(i),
			 NUC_CALL_TASKS);

		(void)nuc_call(&args.call);
	}
}
