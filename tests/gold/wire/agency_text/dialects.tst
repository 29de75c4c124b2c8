ZCZC AB0012 ex
$Jx
:Lake Level
=1st Lead
^Lake rises again
*X
&1
+04000000
   The lakes level rose by four centimetres.

   It had fallen for five months.
NNNN
ZCZC AB0013 ex
%S
#Norland: Road Weather
$T
:Ice on roads
@
~
Ice is expected on roads in Norland.
NNNN
ZCZC
BC-Lake-Level, KILL
Editors: please kill Lake Level.
NNNN
ZCZC

NNNN
