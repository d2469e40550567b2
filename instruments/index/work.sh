#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# What a user's script does: sort a text, dump and sort the dump, look for a word, count, clean up. In the
# folder it is started in. usage: work.sh TEXT
sort >sort.$$ <"$1"
od sort.$$ | sort -n -k 1 >od.$$
grep the sort.$$ | tee grep.$$ | wc >wc.$$
rm sort.$$ grep.$$ od.$$ wc.$$
