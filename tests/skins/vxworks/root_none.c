/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program for tests/python/test_vx_start.py: it has no root function. */
int not_a_root(void);

int not_a_root(void)
{
	return 0;
}
