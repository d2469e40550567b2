#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A typical user's script: sort a text, dump it and sort the dump, search a word, count, clean up.
# It works in the current folder. usage: work.sh TEXT
sort >sort.$$ <"$1"
od sort.$$ | sort -n -k 1 >od.$$
grep the sort.$$ | tee grep.$$ | wc >wc.$$
rm sort.$$ grep.$$ od.$$ wc.$$
