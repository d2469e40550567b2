/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A machine without a device for programs. */
#include "test.h"

TEST(device_that_is_not_there_is_refused_with_a_sentence)
{
	char reason[TACT_REASON_BYTES] = "";
	int result = tact_device_open(NULL, "0000:00:1f.7", 1, NULL, reason);

	if (result != -TACT_ENODEV)
		expect_error(tact_device_open(NULL, "0000:00:1f.7", 1, NULL, reason), TACT_ENOTSUP);
	expect_true(strlen(reason) > 20);
	expect_error(tact_device_inquire((tact_device_t){tact_task_self().id}, NULL), TACT_EBADF);
}
