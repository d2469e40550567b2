/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calendar: dates and times of day, on the wall clock of the program. */
#include "psos_calendar.h"

#include "psos_errors.h"

#define NS_S     1000000000u
#define DAY_S    86400u
#define YEAR_MIN 1970u
#define YEAR_MAX 2200u

/* tm_set() was called since the start of the program. */
static _Atomic bool is_set;

static bool is_leap(unsigned int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned int days_of_month(unsigned int year, unsigned int month)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to the first of January of a year. */
static unsigned int days_before_year(unsigned int year)
{
	const unsigned int y = year - 1;

	return 365 * (year - YEAR_MIN) + y / 4 - y / 100 + y / 400 -
	       (1969 / 4 - 1969 / 100 + 1969 / 400);
}

/* Returns 0 or ERR_ILLDATE. */
static unsigned long days_of(unsigned long date, uint64_t *days)
{
	const unsigned long year = date >> 16;
	const unsigned int month = date >> 8 & 0xff;
	const unsigned int day = date & 0xff;

	if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12 || day < 1 ||
	    day > days_of_month((unsigned int)year, month))
		return ERR_ILLDATE;
	*days = days_before_year((unsigned int)year) + day - 1;
	for (unsigned int i = 1; i < month; i++)
		*days += days_of_month((unsigned int)year, i);
	return 0;
}

/* Returns 0 or ERR_ILLTIME. */
static unsigned long seconds_of(unsigned long time, uint64_t *seconds)
{
	const unsigned long hour = time >> 16;
	const unsigned int minute = time >> 8 & 0xff;
	const unsigned int second = time & 0xff;

	if (hour > 23 || minute > 59 || second > 59)
		return ERR_ILLTIME;
	*seconds = hour * 3600 + minute * 60 + second;
	return 0;
}

static unsigned long convert(unsigned long date, unsigned long time, unsigned long ticks,
			     tact_time_t *instant)
{
	uint64_t days = 0;
	uint64_t seconds = 0;
	unsigned long code = days_of(date, &days);

	if (!code)
		code = seconds_of(time, &seconds);
	if (!code && ticks >= psos_configured()->kc_ticks2sec)
		code = ERR_ILLTICKS;
	if (!code)
		instant->ns =
			(days * DAY_S + seconds) * NS_S + runtime_ticks_ns(&psos_ticks, ticks);
	return code;
}

unsigned long psos_instant(unsigned long date, unsigned long time, unsigned long ticks,
			   tact_time_t *instant)
{
	unsigned long code = convert(date, time, ticks, instant);

	if (!atomic_load_explicit(&is_set, memory_order_relaxed))
		return ERR_NOTIME;
	return !code && instant->ns <= tact_wall_now().ns ? ERR_TOOLATE : code;
}

unsigned long tm_set(unsigned long date, unsigned long time, unsigned long ticks)
{
	tact_time_t instant = {0};
	unsigned long code = convert(date, time, ticks, &instant);

	if (psos_begin())
		return ERR_SSFN;
	if (code)
		return code;
	code = psos_result(psos_tm_set_errors, tact_wall_set(instant));
	if (!code)
		atomic_store_explicit(&is_set, true, memory_order_relaxed);
	return code;
}

static unsigned long date_of(uint64_t days)
{
	unsigned int year = YEAR_MIN;
	unsigned int month = 1;

	while (days >= days_before_year(year + 1))
		year++;
	days -= days_before_year(year);
	while (days >= days_of_month(year, month))
		days -= days_of_month(year, month++);
	return (unsigned long)year << 16 | month << 8 | (days + 1);
}

static unsigned long time_of(uint64_t seconds)
{
	return seconds / 3600 << 16 | seconds / 60 % 60 << 8 | seconds % 60;
}

unsigned long tm_get(unsigned long *date, unsigned long *time, unsigned long *ticks)
{
	const uint64_t now = tact_wall_now().ns;
	const uint64_t seconds = now / NS_S;

	if (!atomic_load_explicit(&is_set, memory_order_relaxed))
		return ERR_NOTIME;
	psos_give(date, date_of(seconds / DAY_S));
	psos_give(time, time_of(seconds % DAY_S));
	psos_give(ticks, runtime_ns_ticks(&psos_ticks, now % NS_S));
	return 0;
}
