V0126cnsw
u i BC-VL--FerryAgroun       03-11 0140
^BC-VL--Ferry Aground,1st Ld-Writethru,140<
^Ferry captain detained; all 214 aboard are safe<
^Eds: UPDATES throughout with captain detained, all ashore, background.<
^By SIV MORLAND=
^Coast News Service=
	   SKARRVIK, Varland (CNS) _ All 214 people on board a car
ferry that ran aground in fog outside Skarrvik harbor on
Wednesday were brought ashore, and police said they had
detained its captain.
	   The captain, 57, had failed a breath test, police
inspector Runa Dahle said.
	   The Marit Holm was taking in water but was not in danger
of sinking, coast guard duty officer Lise Aamot said.
	   The ferry left Odderness at noon for the 40-minute
crossing.
	   ``There was a bang and all the cars shifted,'' said
passenger Tor Ekeland, who called from the deck.
	   In 2019 the same ferry struck a pier at Odderness. Nobody
was hurt then.

	   CNS-WF-03-11-26 1337GMT<
