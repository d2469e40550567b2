/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes as programs written for Xenomai 2 create them. */
#include "alchemy_test.h"

#include <trank/native/pipe.h>

TEST(a_pipe_that_is_created_is_0_whatever_its_number)
{
	RT_PIPE pipe, other;

	expect_ok(rt_pipe_create(&pipe, NULL, 3, 1));
	expect_error(rt_pipe_create(&other, NULL, 3, 0), EBUSY);
	expect_error(rt_pipe_create(&other, NULL, P_MINORS, 0), ENODEV);
	expect_ok(rt_pipe_delete(&pipe));
}
