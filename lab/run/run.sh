#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# run.sh JOBDIR OUTDIR: one measurement, on any target, with nothing but a POSIX shell.
#
# JOBDIR holds job.env (variables below) and instrument (a script: the instrument and its options,
# with $CPU and $OUT). The load is started and must compute first; the instrument runs under a time
# limit; the load is checked all the time and at the end; and no process of either is left.
# OUTDIR gets
#   outcome         end=ok | load-failed | load-died | timeout | failed, reason=, status=,
#                   elapsed_s=
#   instrument.out, instrument.err, and what the instrument itself writes to $OUT
#   load.log        the parts of the load, and the processor time of each at start and end
#   facts, kernel.log
# The exit status is 0 if outcome was written, whatever it says; 2 for a wrong call.
set -u
export LC_ALL=C

if [ $# -ne 2 ] || [ ! -r "$1/job.env" ] || [ ! -r "$1/instrument" ]; then
	echo 'usage: run.sh JOBDIR OUTDIR; JOBDIR has job.env and instrument' >&2
	exit 2
fi
mkdir -p "$2" || exit 2
run=$(cd "$(dirname "$0")" && pwd)
job=$(cd "$1" && pwd)
OUT=$(cd "$2" && pwd)
scratch=$OUT/scratch

LAB_LOAD=idle LAB_INTENSITY='' LAB_LIMIT_S=600 LAB_CPU='' LAB_PATH=''
# shellcheck source=/dev/null
. "$job/job.env"
PATH=${LAB_PATH:+$LAB_PATH:}$PATH
START_S=30  # limit for the time until each part of the load has computed
LOOKS=3     # number of checks until then
STALL_CS=300 # a part that computes nothing for so long has stopped, in hundredths of a second
SETTLE_LOOKS=20

now_cs() {
	read -r uptime rest </proc/uptime
	now=${uptime%.*}${uptime#*.}
}

# Sets `now`, `alive` and, for each session S of $sessions, `time_S`: the processor time of its
# processes, in ticks with those of dead children, plus nanoseconds of living processes. It changes
# when any process of the session computes. It uses only builtins, so that it costs little.
look() {
	alive=
	for session in $sessions; do
		eval "time_$session=0 ticks_$session=0"
	done
	for process in /proc/[0-9]*; do
		{ read -r line <"$process/stat"; } 2>/dev/null || continue
		# shellcheck disable=SC2086 # fields
		set -- ${line##*) }
		case " $sessions " in
		*" $4 "*) ;;
		*) continue ;;
		esac
		[ "$1" != Z ] || continue
		{ read -r runtime rest <"$process/schedstat"; } 2>/dev/null || runtime=0
		eval "ticks_$4=\$((ticks_$4 + ${12} + ${13} + ${14} + ${15}))"
		eval "time_$4=\$((time_$4 + ${12} + ${13} + ${14} + ${15} + runtime))"
		case " $alive " in
		*" $4 "*) ;;
		*) alive="$alive $4" ;;
		esac
	done
	now_cs
}

# kill_session SESSION...: repeats until nothing of it is left, because processes may fork
# meanwhile.
kill_sessions() {
	sessions=$*
	tries=0
	while [ -n "$sessions" ] && [ $tries -lt 200 ]; do
		left=
		for process in /proc/[0-9]*; do
			{ read -r line <"$process/stat"; } 2>/dev/null || continue
			# shellcheck disable=SC2086
			set -- ${line##*) }
			case " $sessions " in
			*" $4 "*)
				[ "$1" = Z ] || { left=yes && kill -9 "${process#/proc/}" 2>/dev/null; }
				;;
			esac
		done
		[ -n "$left" ] || break
		tries=$((tries + 1))
	done
}

pause() {
	sleep "$interval"
}

part_of() {
	eval "part=\$part_$1"
}

outcome() {
	{
		echo "end=$1"
		echo "reason=$2"
		echo "status=${status-}"
		echo "elapsed_s=${elapsed-}"
	} >"$OUT/outcome.new" && mv "$OUT/outcome.new" "$OUT/outcome"
}

loads='' instrument='' watcher=''
clean_up() {
	rm -f "$scratch/measuring"
	[ -z "$watcher" ] || kill "$watcher" 2>/dev/null
	# shellcheck disable=SC2086
	kill_sessions $instrument $loads
	rm -rf "$scratch"
}
# If the parent goes away, everything here ends.
trap 'exit 3' HUP INT TERM PIPE
trap clean_up EXIT

log_times() {
	for session in $loads; do
		part_of "$session"
		eval "echo \"$1 $part at_cs=$now ticks=\$ticks_$session time=\$time_$session\""
	done >>"$OUT/load.log"
}

# Sets `failure` if a part has ended, or has computed nothing for too long.
judge() {
	for session in $sessions; do
		part_of "$session"
		case " $alive " in
		*" $session "*) ;;
		*)
			failure="the load $part ended"
			return
			;;
		esac
		eval "before=\${seen_$session-} time=\$time_$session since=\${since_$session-$now}"
		if [ "$time" != "$before" ]; then
			eval "seen_$session=$time since_$session=$now"
			[ -z "$before" ] || eval "looks_$session=\$((\${looks_$session-0} + 1))"
		elif [ $((now - since)) -gt $STALL_CS ]; then
			failure="the load $part stood still for $(((now - since) / 100)) s"
			return
		fi
	done
}

start_load() {
	parts=$(sh "$run/load.sh" --parts "$LAB_LOAD") || {
		outcome load-failed "there is no load $LAB_LOAD"
		exit 0
	}
	for part in $parts; do
		mkdir -p "$scratch/$part"
		setsid sh "$run/load.sh" "$part" "${LAB_INTENSITY:-1}" "$cpus" "$scratch/$part" \
			>>"$OUT/load.err" 2>&1 </dev/null &
		loads="$loads $!"
		eval "part_$!=$part"
	done
	# Among all processes of a load, these checks and the start would wait for seconds. The
	# instrument has its own real-time priority.
	[ -z "$loads" ] || renice -n -20 -p $$ >/dev/null 2>&1
	sessions=$loads
	failure=
	now_cs
	begun=$now
	while :; do
		pause
		look
		judge
		waiting=
		for session in $sessions; do
			eval "[ \${looks_$session-0} -ge $LOOKS ]" || { part_of "$session" && waiting=$part; }
		done
		[ -n "$waiting$failure" ] || break
		if [ $((now - begun)) -gt $((START_S * 100)) ]; then
			failure="the load $waiting did not compute within $START_S s"
		fi
		if [ -n "$failure" ]; then
			read -r said <"$OUT/load.err" 2>/dev/null || said=
			outcome load-failed "$failure${said:+: $said}"
			exit 0
		fi
	done
}

# Runs beside the instrument. Without a load, it is only the time limit, so that idle stays idle. It
# ends by TERM, or when $scratch/measuring is gone: a signal is lost if it comes while the shell,
# which has begun as a copy of its parent, forgets the traps of the parent.
watch() {
	trap - EXIT HUP INT TERM PIPE
	if [ -z "$loads" ]; then
		trap : TERM
		sleep "$LAB_LIMIT_S" &
		sleeper=$!
		trap 'kill $sleeper; exit' TERM
		[ -e "$scratch/measuring" ] || { kill $sleeper && exit; }
		wait $sleeper
		: >"$OUT/limit"
		kill_sessions "$instrument"
		return
	fi
	while [ -e "$scratch/measuring" ]; do
		pause
		look
		judge
		if [ -n "$failure" ] && [ ! -e "$OUT/load.failure" ]; then
			echo "$failure" >"$OUT/load.failure"
		fi
		if [ $((now - begun)) -gt $((LAB_LIMIT_S * 100)) ]; then
			: >"$OUT/limit"
			kill_sessions "$instrument"
			return
		fi
	done
}

# The load at the end: each part lives, has computed since the instrument began, and still computes.
check_load() {
	failure=
	if [ -e "$OUT/load.failure" ]; then
		read -r failure <"$OUT/load.failure"
		return
	fi
	for session in $loads; do
		eval "first_$session=\$start_$session"
	done
	tries=0
	while [ $tries -lt $SETTLE_LOOKS ]; do
		look
		[ $tries -gt 0 ] || log_times end
		still=
		for session in $loads; do
			part_of "$session"
			case " $alive " in
			*" $session "*) ;;
			*)
				failure="the load $part ended"
				return
				;;
			esac
			eval "[ \$time_$session != \$first_$session ]" || still=$part
		done
		[ -n "$still" ] || return
		pause
		tries=$((tries + 1))
	done
	failure="the load $still computed nothing during the run"
}

facts() {
	read -r version </proc/version
	echo "kernel_version=$version"
	echo "kernel=$(uname -r)"
	read -r cmdline </proc/cmdline
	echo "cmdline=$cmdline"
	echo "cpus_online=$cpus"
	echo "cpu=$CPU"
	while read -r key value; do
		case $key in
		model)
			case $value in name*) echo "cpu_model=${value#*: }" && break ;; esac
			;;
		esac
	done </proc/cpuinfo
	for fact in clock_source=/sys/devices/system/clocksource/clocksource0/current_clocksource \
		realtime=/sys/kernel/realtime governor=/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor \
		isolated=/sys/devices/system/cpu/isolated rt_runtime_us=/proc/sys/kernel/sched_rt_runtime_us; do
		{ read -r value <"${fact#*=}"; } 2>/dev/null && echo "${fact%%=*}=$value"
	done
	echo "user=$(id -u)"
}

cpus=0
while read -r word rest; do
	[ "$word" != processor ] || cpus=$((cpus + 1))
	[ "$word" != Cpus_allowed_list: ] || allowed=$rest
done <<END
$(cat /proc/cpuinfo /proc/self/status)
END
CPU=${LAB_CPU:-${allowed##*[,-]}}
export CPU OUT
facts >"$OUT/facts"
command -v setsid >/dev/null || {
	outcome failed 'there is no setsid: install util-linux or busybox'
	exit 0
}
interval=0.2
sleep 0.01 2>/dev/null || interval=1

mkdir -p "$scratch"
cd "$scratch" || exit 2
start_load
look
judge
log_times start
for session in $loads; do
	eval "start_$session=\$time_$session"
done
now_cs
begun=$now
# A task has its own descriptors; the load keeps the usual limit.
# shellcheck disable=SC3045 # every shell that targets have knows these
(
	ulimit -S -n "$(ulimit -H -n)" 2>/dev/null
	exec setsid sh "$job/instrument"
) >"$OUT/instrument.out" 2>"$OUT/instrument.err" </dev/null &
instrument=$!
: >"$scratch/measuring"
watch >/dev/null 2>&1 &
watcher=$!
wait "$instrument"
status=$?
now_cs
elapsed=$(((now - begun) / 100)).$(((now - begun) / 10 % 10))
if [ -e "$OUT/limit" ]; then
	wait "$watcher"
fi
# Also kill the process for which it waits: an orphan would hold a remote shell open.
rm -f "$scratch/measuring"
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
watcher=
sessions=$loads
check_load
dmesg 2>/dev/null | tail -n 200 >"$OUT/kernel.log"
if [ -e "$OUT/limit" ]; then
	outcome timeout "the instrument did not end within $LAB_LIMIT_S s"
elif [ $status -ne 0 ]; then
	said=
	while read -r line; do said=$line; done <"$OUT/instrument.err"
	outcome failed "the instrument ended with status $status${said:+: $said}"
elif [ -n "$failure" ]; then
	outcome load-died "$failure"
else
	outcome ok ''
fi
