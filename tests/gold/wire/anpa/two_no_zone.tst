K0007examp
b i BC-APNewsAlert     03-11 0020
^BC-EU--APNewsAlert,12<
	   TARMOUTH (XYZ) _ A ferry is burning off Tarmouth.

	   XYZ-07:37-11-03-26<
K0008examp
r i BC-EU--FerryFire     03-11 0020
^BC-EU--Ferry Fire, KILL,12<
^Kill Ferry Fire story<
	   Editors: please kill BC-EU--Ferry Fire. The name of the ferry is wrong.

	   XYZ-07:51-11-03-26<
