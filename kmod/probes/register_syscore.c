// SPDX-License-Identifier: GPL-2.0-only
// Callbacks of a suspend have an argument (6.19, and stable kernels from 6.12.115 on).
// about: syscore|storage size|int \(\*\)\(void\)|no member
#include <linux/syscore_ops.h>

static int suspend(void *data)
{
	return 0;
}

static const struct syscore_ops operations = {.suspend = suspend};
static struct syscore syscore = {.ops = &operations};

void probe(void);
void probe(void)
{
	register_syscore(&syscore);
	unregister_syscore(&syscore);
}
