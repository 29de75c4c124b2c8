W0412examp
r i BC-EU--FerryFire 2ndLd-Writethru   03-11 0311
^BC-EU--Ferry Fire, 2nd Ld-Writethru,140<
^Ferry burns off Tarmouth; 41 rescued<
^A ferry is burning off Tarmouth and all 41 aboard are safe<
^AP Photo XYZ101, XYZ102<
^Eds: Updates with number of rescued. With AP Photos.<
^By RUTH OKONJO=
^Example Press=
	   TARMOUTH, Norland (AP) _ A ferry caught fire on Wednesday and all 41 people aboard were rescued.
	   ``We saw smoke,'' said Ida Brandt, a passenger. It took 3{ hours.
 
	   Passengers by class:
	   First;Second;Third<
	   4;10;19<
	   ___
	   An earlier fire was in `97.
^END<

	   AP-WF-03-11-26 0912GMT<


