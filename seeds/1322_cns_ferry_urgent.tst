V0117cnsw
u i BC-VL--FerryAgroun       03-11 0060
^BC-VL--Ferry Aground,URGENT,60<
^Ferry with 214 aboard runs aground off Skarrvik<
	   SKARRVIK, Varland (CNS) _ A car ferry with 214 people on
board ran aground in fog outside Skarrvik harbor on Wednesday,
the coast guard said.
	   The Marit Holm was taking in water but was not in danger
of sinking, coast guard duty officer Lise Aamot said.

	   CNS-WF-03-11-26 1222GMT<
