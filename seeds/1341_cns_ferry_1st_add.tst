V0119cnsw
u i BC-VL--FerryAgroun       03-11 0070
^BC-VL--Ferry Aground,1st Add,70<
^Ferry with 214 aboard runs aground off Skarrvik<
	   Lifeboats from Skarrvik and Odderness had taken off 60
passengers by 1:30 p.m., Aamot said.
	   The ferry left Odderness at noon for the 40-minute
crossing.
	   ``There was a bang and all the cars shifted,'' said
passenger Tor Ekeland, who called from the deck.

	   CNS-WF-03-11-26 1241GMT<
