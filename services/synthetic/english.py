"""Kinds of stories in English. Every sentence is invented."""

from __future__ import annotations

from services.synthetic.kinds import Kind

ACCIDENT = Kind(
    name="accident", language="en", moving=("toll",), mendable="hurt", rings=True,
    headline=(
        "{toll} killed as {vehicle} hits {obstacle} near {place}",
        "Crash near {place} leaves {toll} dead",
        "At least {toll} die in {vehicle} crash outside {place}",
    ),
    lead=(
        "At least {toll} people were killed [on {day}|early on {day}] when a {vehicle} [struck|ran into] {obstacle} near {place}, police said.",
        "A {vehicle} carrying {riders} passengers left the road outside {place} and hit {obstacle} on {day}, killing {toll} people, [the police|officers] said.",
        "{toll} people died and {hurt} were hurt on {day} in a crash on the [road|highway] between {place} and {place2}.",
    ),
    lines=(
        ("Another {hurt} passengers were taken to hospital in {place2}.", "Hospitals in {place2} were treating {hurt} of the passengers."),
        ("The {vehicle} belonged to {company}, which [runs|operates] the line from {place2}.", "{company}, the operator, said the {vehicle} was {age10} years old."),
        ("[Rain|Fog|Ice] had made the road [slippery|treacherous], said {person}, who heads the district's fire service.", "Fire chief {person} said his crews needed {minutes} minutes to reach the [wreck|site]."),
    ),
    later=(
        ("The driver, {age}, was [arrested|detained] on suspicion of drink-driving, prosecutor {person3} said.", "Prosecutor {person3} said the {age}-year-old driver was in custody."),
        ("Investigators found that the [brakes|tyres] of the {vehicle} had failed an inspection in {place3}, [a person with knowledge of the report|an official] said.", "An inspection in {place3} had found fault with the {vehicle}'s [brakes|tyres], investigators said."),
        ("The transport ministry ordered {company} to take everything it owns off the road.", "{company} may not carry anybody until further notice, the transport ministry ordered."),
        ("The road to {place2} will stay closed until [noon|nightfall], the [highways office|police] said.", "Motorists were told to avoid the road to {place2}."),
    ),
    quotes=(
        ('"I heard a [bang|scream] and then the roof was gone," said {person2}, who sat in the last row.', '"Nobody had a belt on," passenger {person2} said. "We flew."'),
        ('"This road has been asking for it," said {person4}, who farms beside it.', '"I counted the ambulances and stopped at {n20}," said {person4}, a neighbour.'),
    ),
    background=(
        ("In {year}, a crash at the same place killed {n20} people.", "{n20} people died on the same stretch in {year}."),
        ("{company} was fined in {year} for letting drivers work without rest.", "A court fined {company} in {year} over its drivers' hours."),
    ),
)  # fmt: skip

COURT = Kind(
    name="court", language="en", mendable="years", rings=True,
    headline=(
        "{place} court jails {job} {last} for {years} years",
        "Former {job} {last} gets {years} years [in prison|in jail]",
        "{job} {person} sentenced to {years} years over {company}",
    ),
    lead=(
        "A court in {place} sentenced the former {job} {person} to {years} years in prison on {day} for [taking bribes|fraud].",
        "{person}, once the {job} of {place}, was [jailed|sent to prison] for {years} years on {day} over payments from {company}.",
        "Judges in {place} found {job} {person} guilty of [fraud|bribery] on {day} and gave him {years} years.",
    ),
    lines=(
        ("{last} had [accepted|taken] {mln} million crowns from {company}, the court found.", "The judges held that {company} paid {last} {mln} million crowns."),
        ("The trial lasted {minutes} days and heard {n20} witnesses.", "{n20} witnesses were heard over {minutes} days."),
        ("His lawyer, {person2}, [announced|said he would file] an appeal.", "{person2}, for the defence, said the verdict would not stand."),
    ),
    later=(
        ("The court later [ordered|allowed] {last} to remain free until the appeal is heard.", "{last} left the court on bail of {n20} million crowns."),
        ("{company} said it would [sack|dismiss] {n20} managers named in the verdict.", "The board of {company} resigned after the verdict."),
        ("The prosecution asked for a warrant against {person4}, a partner of {last} who lives in {place3}.", "Prosecutors want {person4}, a partner now in {place3}, to stand trial as well."),
    ),
    quotes=(
        ('"You sold what was not yours," the presiding judge, {person3}, told {last}.', '"The public paid for your house," judge {person3} said.'),
        ('"I did nothing that others did not do," {last} said as he left.', '"We shall meet again in a higher court," {last} told reporters.'),
    ),
    background=(
        ("{last} led the city from {year} until his arrest.", "{last} was arrested at the airport of {place2} two years ago."),
        ("{company} was founded in {year} and builds [harbours|roads|schools].", "The company has built [harbours|bridges] since {year}."),
    ),
)  # fmt: skip

ELECTION = Kind(
    name="election", language="en", moving=("pct", "counted"), mendable="turnout", rings=False,
    headline=(
        "{last} leads in {place} with {counted} pct of votes counted",
        "{party} ahead in {place} as count reaches {counted} pct",
        "{person} holds lead in {place} vote",
    ),
    lead=(
        "{person} of the {party} was leading the race for governor of {place} with {pct} percent after {counted} percent of the votes were counted on {day}.",
        "With {counted} percent of the vote in, the {party}'s {person} had {pct} percent in {place}, the [election office|returning officer] said on {day}.",
        "The {party} [stood|was] at {pct} percent in {place} on {day} after {counted} percent of ballots had been counted.",
    ),
    lines=(
        ("Turnout was {turnout} percent, the office said.", "{turnout} percent of voters cast a ballot."),
        ("Her rival, {person2}, [refused|declined] to concede.", "{person2}, her opponent, said the cities had yet to report."),
        ("Polling stations in {place2} had stayed open for an extra hour.", "In {place2} the polls closed an hour late because ballots ran out."),
    ),
    later=(
        ("{last2} conceded defeat in a speech in {place3}.", "In {place3}, {last2} told supporters that he had lost."),
        ("A recount was ordered in {n20} districts of {place2}.", "The office will count {n20} districts of {place2} again."),
        ("Police [detained|arrested] {n20} people after a scuffle at a counting centre in {place3}.", "A counting centre in {place3} was cleared after a bomb threat."),
    ),
    quotes=(
        ('"The people of {place} have had enough of waiting," {last} said.', '"I shall govern for those who stayed at home as well," said {last}.'),
        ('"This is not over," said {last2}.', '"Count every ballot," {last2} told a crowd.'),
    ),
    background=(
        ("{place} has been governed by the {party2} since {year}.", "The {party2} won the last vote, in {year}, by {n20} points."),
        ("{last} was a [teacher|judge|surgeon] before she entered politics in {year}.", "{last} lost her first race in {year}."),
    ),
)  # fmt: skip

RESULTS = Kind(
    name="results", language="en", mendable="profit",
    headline=(
        "{company} Q{quarter} net profit {profit} mln crowns vs {profit2} mln",
        "{company} earns {profit} mln crowns in Q{quarter}",
    ),
    lead=(
        "{company} said its net profit for the {ordinal} quarter was {profit} million crowns, compared with {profit2} million a year earlier.",
        "Net profit at {company} came to {profit} million crowns in the {ordinal} quarter, after {profit2} million a year before, it said on {day}.",
    ),
    lines=(
        ("Revenue was {bln} billion crowns, against {bln2} billion.", "The company took in {bln} billion crowns, compared with {bln2} billion."),
        ("The board proposed a dividend of {price} crowns per share.", "Shareholders are to get {price} crowns per share."),
        ("The company [kept|confirmed|withdrew] its outlook for the year.", "It still expects [growth|higher sales|a better margin] this year."),
    ),
    later=(
        ("{company} will [close|sell] its plant in {place}, which employs {staff} people.", "The plant in {place}, with {staff} workers, is to [close|be sold]."),
        ("Its shares [fell|rose] {pct} percent in {place2}.", "Shares of {company} [lost|gained] {pct} percent."),
    ),
    quotes=(
        ('"We are not where we want to be," chief executive {person} said.', '"It was a quarter to remember," said {person}, the chief executive.'),
        ('"Costs have peaked," finance chief {person2} told analysts.', '"We shall not chase volume," said {person2}, the finance chief.'),
    ),
    background=(
        ("{company} was listed in {year}.", "The founder's family has held a third of {company} since {year}."),
        ("It makes [pumps|cheese|trawl nets|elevators] and has its seat in {place3}.", "Its seat is in {place3}."),
    ),
)  # fmt: skip

WEATHER = Kind(
    name="weather", language="en", moving=("toll",), mendable="homes", rings=True,
    headline=(
        "Storm kills {toll} in {place}, cuts power to {homes} homes",
        "{toll} dead as [floods|storm] hit {place}",
    ),
    lead=(
        "A storm [killed|left dead] {toll} people in {place} on {day} and cut power to {homes} homes, the [civil guard|rescue service] said.",
        "[Floods|Gales] swept through {place} on {day}; {toll} people died and {homes} homes lost power.",
        "{toll} people were [dead|killed] in {place} on {day} after the worst [storm|rain] in {n20} years, officials said.",
    ),
    lines=(
        ("The river {river} rose {n20} centimetres [in|within] an hour.", "Water in the {river} stood {n20} centimetres above the mark."),
        ("Trains between {place} and {place2} were cancelled.", "No trains ran from {place} to {place2}."),
        ("Winds of {speed} kilometres an hour were measured at {place3}.", "A gust of {speed} kilometres an hour was recorded at {place3}."),
    ),
    later=(
        ("A dyke at {place2} gave way and {staff} people were told to leave.", "{staff} people left their homes at {place2} after a dyke broke."),
        ("Power was [restored|back] in half of the homes by evening, {company} said.", "{company} said its crews had [reconnected|mended] every second line."),
        ("Two climbers were [missing|unaccounted for] on the [ridge|slopes] above {place3}.", "Rescuers searched for two climbers above {place3}."),
        ("The army sent {n20} boats to {place2}.", "Soldiers with {n20} boats reached {place2}."),
    ),
    quotes=(
        ('"The water came through the wall," said {person}, a baker.', '"We carried my mother up the stairs," {person} said.'),
        ('"Stay where you are," mayor {person2} told residents.', '"I have not seen the river like this," said mayor {person2}.'),
    ),
    background=(
        ("A flood in {year} had destroyed {n20} bridges in the region.", "In {year}, {n20} bridges were lost to the same river."),
        ("{place} lies below the level of the {river}.", "The dykes of {place} were raised in {year}."),
    ),
)  # fmt: skip

MARKET = Kind(
    name="market", language="en", moving=("level", "move"), mendable="price",
    headline=(
        "{place} shares [up|higher|firmer] at midday, banks lead",
        "{place} index at {level} points",
        "{place} stocks [edge up|tread water] as traders await data",
    ),
    lead=(
        "The {place}-{n20} index was {move} percent higher at {level} points on {day}.",
        "Shares in {place} rose {move} percent on {day}, taking the index to {level} points.",
    ),
    lines=(
        ("{company} [gained|lost] most, at {price} crowns.", "{company} traded at {price} crowns."),
        ("Turnover was {mln} million crowns.", "Shares worth {mln} million crowns changed hands."),
        ("Traders were [waiting|looking out] for the central bank's decision.", "Few wanted to take risks before the central bank meets, a trader said."),
    ),
    later=(
        ("{company2} fell after it cut its forecast.", "A lower forecast [weighed on|hurt] {company2}."),
        ("Oil stood at {pct} dollars a barrel.", "A barrel of oil cost {pct} dollars."),
    ),
    quotes=(
        ('"Nobody sells before a holiday," said {person} of {company3}.', '"It is thin out there," said {person}, who trades for {company3}.'),
    ),
    background=(
        ("The index reached its peak in {year}.", "It last stood so high in {year}."),
    ),
)  # fmt: skip

OBITUARY = Kind(
    name="obituary", language="en", mendable="age", rings=False,
    headline=(
        "{trade} {person} dies at {age}",
        "{person}, {trade} of [the coast|the north], dead at {age}",
    ),
    lead=(
        "The {trade} {person} has died at the age of {age}, [his family|his publisher] said on {day}.",
        "{person}, the {trade} whose work [filled halls|was read|hung] from {place} to {place2}, died on {day}. He was {age}.",
    ),
    lines=(
        ("He died at his home in {place} after [a long illness|a fall].", "Death came in {place}, where he had lived for {n20} years."),
        ("Born in {place3}, he was the son of a [miner|pilot|tailor].", "He grew up in {place3}, one of {n20} children."),
        ('Among his best known works is "The {river} Book".', '"The {river} Book" made his name.'),
    ),
    later=(
        ("A memorial will be held in {place2} on Sunday.", "Mourners will gather in {place2} on Sunday."),
        ("President {person3} [ordered|asked for] a day of mourning.", "Flags will fly at half-mast, President {person3} said."),
        ("His estate goes to a [school|hospice] in {place}, his lawyer said.", "He left his estate to a [school|library] in {place}, according to his will."),
    ),
    quotes=(
        ('"He taught us to look," said {person2}, a pupil.', '"There was nobody like him," said {person2}, who worked with him.'),
    ),
    background=(
        ("He won the {river} prize in {year}.", "In {year} he was given the {river} prize."),
        ("He had left the stage in {year}.", "He had not been seen in public since {year}."),
    ),
)  # fmt: skip

KINDS = (ACCIDENT, COURT, ELECTION, RESULTS, WEATHER, MARKET, OBITUARY)
