/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of errors: with a word for the rest, and without. */
#include "test.h"

#include "model.h"
#include "runtime/error.h"

TEST_UNSTARTED(without_a_word_for_the_rest_codes_stay)
{
	static const struct runtime_error table[] = {{-TACT_EBADF, -TACT_EINVAL}, {0, 0}};

	expect_error(runtime_result(table, -TACT_EBADF), TACT_EINVAL);
	expect_error(runtime_result(table, -TACT_EIDRM), TACT_EIDRM);
	expect_eq(runtime_result(table, 3), 3);
}

TEST_UNSTARTED(the_rest_may_have_one_word)
{
	static const struct runtime_error table[] = {{-TACT_EBADF, 12}, {0, 13}};

	expect_eq(runtime_result(table, -TACT_EBADF), 12);
	expect_eq(runtime_result(table, -TACT_EIDRM), 13);
	expect_eq(runtime_result(table, 0), 0);
}

TEST_UNSTARTED(a_skin_has_words_of_its_own)
{
	expect_eq(model_result(0), 0);
	expect_eq(model_result(7), 7);
	expect_eq(model_result(-TACT_ETIMEDOUT), MODEL_TIMEOUT);
	expect_eq(model_result(-TACT_EIDRM), MODEL_DELETED);
	expect_eq(model_result(-TACT_EOVERFLOW), MODEL_FAILED);
}
