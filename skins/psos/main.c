/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main() of a program that has a root function in its place. It is in an archive of its own, so
 * that the linker takes it only for such a program. */
#include <psoscfg.h>

#include <stdio.h>

void root(void);

int main(void)
{
	unsigned long code = psos_run(root);

	if (code)
		fprintf(stderr, "psos: the task of root() cannot be started: error 0x%lx\n", code);
	return code != 0;
}
