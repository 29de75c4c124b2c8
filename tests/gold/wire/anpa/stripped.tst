V0031 examp
f l BC-Lake-Level     03-11 0045
^BC-Lake-Level,45<
^Lake level rises again<
Tarn Lake rose by four centimetres in
February, its keeper said on Wednesday.

It had fallen for five months.
AP-WF-03-11-26 1012EST<
