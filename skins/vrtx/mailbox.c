/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mailboxes, which are words of the program: <tactus/word.h>, with the first CPU as their home. */
#include "vrtx_internal.h"

#define HOME 0u

static uintptr_t *word_of(char **mboxp)
{
	_Static_assert(sizeof(*mboxp) == sizeof(uintptr_t), "a message is as long as a word");
	return (uintptr_t *)mboxp;
}

static int post(uintptr_t *word, uintptr_t msg)
{
	int error = tact_word_post(HOME, word, msg);

	if (error == -TACT_EPERM && vrtx_try_again())
		error = tact_word_post(HOME, word, msg);
	return vrtx_code(error);
}

void sc_post(char **mboxp, char *msg, int *errp)
{
	vrtx_tell(errp, msg ? post(word_of(mboxp), (uintptr_t)msg) : ER_ZMW);
}

char *sc_pend(char **mboxp, long timeout, int *errp)
{
	uintptr_t msg = 0;

	vrtx_tell(errp, VRTX_WAIT(timeout, tact_word_pend(HOME, word_of(mboxp), &msg, until)));
	return (char *)msg;
}

char *sc_accept(char **mboxp, int *errp)
{
	uintptr_t msg = 0;

	vrtx_begin_quietly();
	vrtx_tell(errp, vrtx_code(tact_word_pend(HOME, word_of(mboxp), &msg, TACT_NOWAIT)));
	return (char *)msg;
}
