zczc
AN# EX2026031100017
PD# 20260311
TI# Lake rises
  again
SL# LAKE
TX# The lake’s level rose.

It had fallen for five months.
nnnn
