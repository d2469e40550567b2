/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "thread_cases.h"

const struct suite_case cases_thread_start[] = {
	{NULL, NULL},
};
