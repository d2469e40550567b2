/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A concentrator of packets, as a tutorial of pSOS+ would have it. Three lines receive packets of
 * different sizes at different rates. Each packet lies in a segment of a region, whose address goes
 * through a queue to the task that sends the packets on. When the region is used up, a line waits
 * for memory. The operator speaks to the sender by asynchronous signals: one asks for the figures,
 * one changes the speed, and one ends it.
 *
 * The program has no main(): root() is called in the task ROOT.
 */
#include <psos.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES        3
#define TICK_EVENT   0x1
#define SIG_FIGURES  0x1
#define SIG_FASTER   0x2
#define SIG_END      0x4
#define UNIT         64
#define REGION_BYTES 8192
/* Of the notepad of the sender. */
#define REG_PACKETS 0
#define REG_BYTES   1

void root(void);

static unsigned long memory[REGION_BYTES / sizeof(unsigned long)];
static unsigned long region;
static unsigned long packets; /* the queue */
static unsigned long sender;
static unsigned long ticks_a_packet = 8;
static unsigned long end; /* a semaphore: the sender was told to end */

/* The program has nothing to go on with: say where, and stop. */
static void must(unsigned long code, const char *call)
{
	if (!code)
		return;
	printf("%s: error 0x%lx\n", call, code);
	k_fatal(0x20000000 + code, K_LOCAL);
}

static unsigned long now(void)
{
	unsigned long long ticks;

	(void)tm_getc(&ticks);
	return (unsigned long)ticks;
}

/* A line: a packet each so many ticks. */
static void receive_line(unsigned long line, unsigned long bytes, unsigned long interval,
			 unsigned long count)
{
	unsigned long timer;

	must(tm_evevery(interval, TICK_EVENT, &timer), "tm_evevery");
	for (unsigned long i = 0; i < count; i++) {
		unsigned long message[4] = {0};
		void *packet;

		must(ev_receive(TICK_EVENT, EV_WAIT | EV_ALL, 0, NULL), "ev_receive");
		if (rn_getseg(region, bytes, RN_NOWAIT, 0, &packet) == ERR_NOSEG) {
			printf("%5lu line %lu: no memory, waits\n", now(), line);
			must(rn_getseg(region, bytes, RN_WAIT, 0, &packet), "rn_getseg");
			printf("%5lu line %lu: goes on\n", now(), line);
		}
		memset(packet, (int)line, bytes);
		message[0] = (unsigned long)packet;
		message[1] = bytes;
		message[2] = line;
		message[3] = i;
		must(q_send(packets, message), "q_send");
	}
	must(tm_cancel(timer), "tm_cancel");
	printf("%5lu line %lu: has received %lu packets\n", now(), line, count);
	must(t_delete(0), "t_delete");
}

/* The asynchronous signal routine of the sender. Its mode keeps further signals away. */
static void command(unsigned long signals)
{
	unsigned long sent = 0;
	unsigned long bytes = 0;

	if (signals & SIG_FIGURES) {
		must(t_getreg(0, REG_PACKETS, &sent), "t_getreg");
		must(t_getreg(0, REG_BYTES, &bytes), "t_getreg");
		printf("%5lu sender: %lu packets, %lu bytes\n", now(), sent, bytes);
	}
	if (signals & SIG_FASTER) {
		ticks_a_packet = 1;
		printf("%5lu sender: goes faster\n", now());
	}
	if (signals & SIG_END)
		must(sm_v(end), "sm_v");
	must(as_return(), "as_return");
}

static void send_packets(unsigned long unused0, unsigned long unused1, unsigned long unused2,
			 unsigned long unused3)
{
	unsigned long sent = 0;
	unsigned long bytes = 0;
	unsigned long message[4];

	(void)unused0, (void)unused1, (void)unused2, (void)unused3;
	must(as_catch(command, T_NOASR), "as_catch");
	while (sm_p(end, SM_NOWAIT, 0) == ERR_NOSEM) {
		/* Look at the end now and then, also if there is no packet. */
		if (q_receive(packets, Q_WAIT, 20, message) == ERR_TIMEOUT)
			continue;
		must(tm_wkafter(ticks_a_packet), "tm_wkafter");
		must(t_setreg(0, REG_PACKETS, ++sent), "t_setreg");
		must(t_setreg(0, REG_BYTES, bytes += message[1]), "t_setreg");
		must(rn_retseg(region, (void *)message[0]), "rn_retseg");
	}
	printf("%5lu sender: ends\n", now());
	must(rn_delete(region), "rn_delete");
	must(q_delete(packets), "q_delete");
	printf("%5lu all segments are back, and all packets are sent\n", now());
	exit(0);
}

static void operate(unsigned long unused0, unsigned long unused1, unsigned long unused2,
		    unsigned long unused3)
{
	static const struct {
		unsigned long after;
		unsigned long signals;
	} orders[] = {
		{100, SIG_FIGURES},
		{100, SIG_FIGURES | SIG_FASTER},
		{200, SIG_FIGURES},
		{100, SIG_FIGURES | SIG_END},
	};

	(void)unused0, (void)unused1, (void)unused2, (void)unused3;
	for (unsigned int i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		must(tm_wkafter(orders[i].after), "tm_wkafter");
		must(as_send(sender, orders[i].signals), "as_send");
	}
	must(t_delete(0), "t_delete");
}

void root(void)
{
	static unsigned long arguments[LINES][4] = {
		{1, 200, 10, 30},
		{2, 700, 25, 10},
		{3, 60, 7, 40},
	};
	unsigned long line[LINES];
	unsigned long operator_task;
	unsigned long largest;

	must(rn_create("PACK", memory, sizeof(memory), UNIT, RN_PRIOR, &region, &largest),
	     "rn_create");
	must(q_create("PACK", 0, Q_NOLIMIT | Q_FIFO, &packets), "q_create");
	must(sm_create("END ", 0, SM_FIFO, &end), "sm_create");
	for (int i = 0; i < LINES; i++) {
		char name[4] = {'L', 'I', 'N', (char)('1' + i)};

		must(t_create(name, 150, 4096, 0, T_LOCAL, &line[i]), "t_create");
	}
	must(t_create("SEND", 100, 4096, 0, T_LOCAL, &sender), "t_create");
	must(t_create("OPER", 200, 4096, 0, T_LOCAL, &operator_task), "t_create");
	must(t_start(sender, T_PREEMPT, send_packets, NULL), "t_start");
	for (int i = 0; i < LINES; i++)
		must(t_start(line[i], T_PREEMPT, receive_line, arguments[i]), "t_start");
	must(t_start(operator_task, T_PREEMPT, operate, NULL), "t_start");
	must(t_delete(0), "t_delete");
}
