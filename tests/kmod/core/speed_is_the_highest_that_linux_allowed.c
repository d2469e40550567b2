/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A core requests from its processor, which the test supplies, the highest frequency that Linux
 * allowed, and no less. The value that Linux had written when the CPU went offline is there again
 * when the core ends.
 */
#include "check.h"
#include "fake.h"

#include "core/speed.c"

#define REGISTER 0x774

struct core_mailbox core_mailbox;

static uint64_t held;
static unsigned reads, writes;

uint64_t read_msr(uint32_t msr)
{
	is(msr, REGISTER, "register read");
	reads++;
	return held;
}

void write_msr(uint32_t msr, uint64_t value)
{
	is(msr, REGISTER, "register written");
	writes++;
	held = value;
}

int main(void)
{
	/* Between 4 and 40, preferably saving (0x80), over a window of 1 s. */
	const uint64_t hwp = 0x2c080002804ull;
	/* The same, most first, 8 desired. */
	const uint64_t cppc = 0x80080428ull;

	is(core_speed_hwp(hwp, true), 0x2c000002828ull, "HWP");
	is(core_speed_hwp(hwp, false), 0x2c080002828ull, "HWP without a preference");
	is(core_speed_cppc(cppc), 0x2828ull, "CPPC");

	core_speed_start();
	core_speed_stop();
	is(reads + writes, 0, "uses of a register that is not there");

	core_mailbox.speed_register = REGISTER;
	core_mailbox.speed = core_speed_hwp(hwp, true);
	held = 0x80000404;
	core_speed_start();
	is(held, core_mailbox.speed, "while it is a core");
	core_speed_stop();
	is(held, 0x80000404, "when it is Linux's again");
	return failed != 0;
}
