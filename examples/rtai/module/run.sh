#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What `tactus rtai run` does: the module and the program that watches it, in virtual time. The environment has the paths.
exec "$HOST" run 0 "$OVEN" period_ms=50 limits=0,100 "$WATCH"
