/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a test says of a call of a skin. dev/check_skins.py compares it with the skin's table
 * (skins/NAME/calls.toml): each error of a row has a FAILS, each row has a FAILS or a WORKS.
 *
 *   FAILS(semTake, S_objLib_OBJ_TIMEOUT, semTake(id, NO_WAIT));
 *   SEM_ID id = WORKS(semBCreate, semBCreate(SEM_Q_FIFO, SEM_EMPTY));
 *
 * The first word names the row. The expression calls this function, and is evaluated once. WORKS
 * has its value; of a call that returns nothing, write (call(…), 0). NULL counts as the result -1.
 *
 * The tests of a skin define what is its own:
 *   skin_before()      what a call needs before it, as errno = 0
 *   skin_code(result)  the code of a result: errno, the result itself
 *   SKIN_OK            the code of success, if it is not 0
 */
#ifndef TESTS_SKINS_SKIN_CHECK_H
#define TESTS_SKINS_SKIN_CHECK_H

#include "test.h"

void skin_before(void);
long skin_code(long result);

#ifndef SKIN_OK
#define SKIN_OK 0
#endif

/* gcc's and clang's class of pointers. */
#define SKIN_POINTER 5

#define SKIN_EXPECT(CALL, CODE, ...)                                                       \
	({                                                                                 \
		skin_before();                                                             \
		__typeof__(__VA_ARGS__) skin_result_ = (__VA_ARGS__);                      \
		test_expect_equal(                                                         \
			__FILE__, __LINE__, #CALL " of " #__VA_ARGS__,                     \
			skin_code(__builtin_classify_type(skin_result_) == SKIN_POINTER && \
						  !skin_result_                            \
					  ? -1L                                            \
					  : (long)skin_result_),                           \
			(int64_t)(CODE));                                                  \
		skin_result_;                                                              \
	})

#define FAILS(CALL, CODE, ...) ((void)SKIN_EXPECT(CALL, CODE, __VA_ARGS__))
#define WORKS(CALL, ...)       SKIN_EXPECT(CALL, SKIN_OK, __VA_ARGS__)

#endif
