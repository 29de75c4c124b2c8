"""More kinds of stories in English. Every sentence is invented."""

from __future__ import annotations

from services.synthetic.kinds import Kind

FIRE = Kind(
    name="fire", language="en", moving=("toll",), mendable="crews", rings=True,
    headline=("{building} fire in {place} kills {toll}", "{toll} dead in blaze at {place} {building}", "Flames gut {building} in {place}, {toll} die"),
    lead=(
        "Fire [raced|tore] through a {building} in {place} [before dawn|late] on {day}, and {toll} people did not get out, the [fire service|city] said.",
        "{toll} people died on {day} when a {building} burned down in the {river} quarter of {place}.",
        "A {building} burned to the ground in {place} on {day}. Firefighters carried {toll} bodies from the [ruins|upper floors].",
    ),
    lines=(
        ("{crews} crews [fought|battled] the flames, which could be seen from {place2}.", "It took {crews} crews until noon to put it out."),
        ("The [alarm|sprinklers] had been switched off for repairs, [caretaker|manager] {person} said.", "{person}, who looks after the building, said no alarm had sounded."),
        ("Neighbours [threw|tied] blankets [from|to] the windows so that children could climb down.", "Some jumped into the courtyard, others waited on the roof for ladders."),
    ),
    later=(
        ("Detectives are questioning an electrician who worked there on the eve of the fire.", "An electrician was taken in for questioning, detective {person3} said."),
        ("The owner, {company}, had let {n20} more tenants in than the permit allowed.", "City hall said {company} broke the limit on tenants by {n20}."),
        ("A collection for the survivors raised {staff} crowns within hours.", "Shops in {place2} gave clothes and {staff} crowns to the survivors."),
    ),
    quotes=(
        ('"You could not see your own hand," said survivor {person2}.', '"My keys melted in the door," {person2}, a tenant, said.'),
    ),
    background=(
        ("The house went up in {year} and was never [rewired|fitted with stairs outside].", "It had been a warehouse until {year}."),
    ),
)  # fmt: skip

ROBBERY = Kind(
    name="robbery", language="en", mendable="mln", rings=False,
    headline=("Thieves take {mln} mln crowns in {place} {target} raid", "{target} in {place} robbed of {mln} mln crowns", "Masked gang empties {place} {target}"),
    lead=(
        "A gang [drilled|cut] its way into a {target} in {place} and left with {mln} million crowns, detectives said on {day}.",
        "Robbers in [masks|overalls] emptied a {target} in {place} on {day}; the loss was put at {mln} million crowns.",
        "Police were hunting {gang} people on {day} after {mln} million crowns were stolen from a {target} in {place}.",
    ),
    lines=(
        ("They came through the cellar of a [bakery|shoe shop] next door, inspector {person} said.", "Inspector {person} said the tunnel began under a [laundry|bakery]."),
        ("A guard was [tied up|locked in a lift] but not harmed.", "Nobody was hurt. A guard was found in a cupboard."),
        ("A [grey|white] van was later found in {place2} with its engine running.", "Their van was [left|burned] on a track near {place2}."),
    ),
    later=(
        ("A former guard of {age} was arrested at a ferry terminal.", "Officers seized a man of {age} as he boarded a ferry; he once worked there."),
        ("Some of the money turned up in a well near {place3}.", "Children found bundles of notes in a well at {place3}."),
        ("The insurer, {company}, offered a reward of {staff} crowns.", "{company} will pay {staff} crowns for a tip."),
    ),
    quotes=(
        ('"They knew where every cable ran," said {person}.', '"I have seen worse films," said {person2}, who lives above.'),
    ),
    background=(
        ("The same vault was attacked in {year} without success.", "In {year} another gang gave up at the same door."),
    ),
)  # fmt: skip

STRIKE = Kind(
    name="strike", language="en", moving=("firms",), mendable="staff", rings=False,
    headline=("{craft} walk out in {place}", "Strike by {craft} spreads to {firms} firms", "{place} {craft} down tools over pay"),
    lead=(
        "[Some|About] {staff} {craft} in {place} stopped work on {day} in a row over [pay|shifts|pensions], their union said.",
        "A strike by {craft} reached {firms} firms around {place} on {day}.",
        "Work stood still at {firms} firms in {place} on {day} as {craft} walked out.",
    ),
    lines=(
        ("They want {pct} percent more and a [shorter|four-day] week.", "Their demand is {pct} percent and an end to night work."),
        ("Talks broke off at [midnight|dawn], mediator {person} said.", "{person}, who mediates, said the two sides were no longer in one room."),
        ("Pickets stood at the gates of {company} [in the rain|from sunrise].", "Lorries waited in a line of {n20} kilometres outside {company}."),
    ),
    later=(
        ("The employers offered half of that in a letter that {person3} read out to cheers and boos.", "An offer of half as much was put to the vote, union secretary {person3} said."),
        ("A judge in {place3} forbade the union to block the rail yard.", "The rail yard must stay open, a judge in {place3} ruled."),
        ("Bus drivers in {place2} will join on Friday.", "On Friday bus drivers of {place2} walk out as well."),
    ),
    quotes=(
        ('"We can hold out until the herring comes back," said {person2}, a steward.', '"They count our minutes, we count theirs," {person2}, on the picket line, said.'),
    ),
    background=(
        ("The last strike of the trade, in {year}, went on for {n20} weeks.", "Wages have been frozen since {year}."),
    ),
)  # fmt: skip

TAKEOVER = Kind(
    name="takeover", language="en", mendable="bln", rings=False,
    headline=("{company} to buy {company2} for {bln} bln crowns", "{company} bids {bln} bln crowns for rival {company2}", "{company2} agrees to {company} offer"),
    lead=(
        "{company} [offered|agreed to pay] {bln} billion crowns for {company2} on {day}, the largest deal the industry has seen.",
        "Shareholders of {company2} are to get {price} crowns a share from {company}, which put the value of its bid at {bln} billion crowns.",
        "{company2} will become part of {company} in a deal worth {bln} billion crowns, both said on {day}.",
    ),
    lines=(
        ("The seat of the merged group will be in {place}.", "{place} keeps the head office, {place2} loses its own."),
        ("Regulators have {minutes} weeks to [object|decide].", "The cartel office will look at it for {minutes} weeks."),
        ("Chairman {person} [holds|controls] {n20} percent and is in favour.", "{person}, who owns {n20} percent, called the price fair."),
    ),
    later=(
        ("A fund from {place3} said it would vote against the sale.", "Resistance came from a fund in {place3}."),
        ("{staff} jobs will go, mostly in [accounts|depots].", "The two expect to shed {staff} jobs."),
        ("{company3} let it be known that it might bid more.", "A rival offer by {company3} is being [weighed|drafted], a banker said."),
    ),
    quotes=(
        ('"One plus one makes a harbour," said {person2}, who will run the group.', '"We were courting for ten years," chief executive {person2} said.'),
    ),
    background=(
        ("The two had tried to merge in {year}.", "A first approach failed in {year} over who would lead."),
    ),
)  # fmt: skip

OUTBREAK = Kind(
    name="outbreak", language="en", moving=("hurt",), mendable="age10", rings=False,
    headline=("{illness} cases in {place} rise to {hurt}", "{hurt} ill with {illness} in {place}", "{place} schools shut as {illness} spreads"),
    lead=(
        "The number of people who fell ill with {illness} in {place} [climbed|rose] to {hurt} on {day}, doctors said.",
        "Health officers in {place} counted {hurt} cases of {illness} on {day} and closed [schools|the swimming baths].",
        "An outbreak of {illness} has [struck|sickened] {hurt} people in {place}, the district doctor said on {day}.",
    ),
    lines=(
        ("Most of the sick are children under {age10}.", "Half of them are younger than {age10}."),
        ("The source is thought to be a [well|canteen|cheese dairy] in {place2}, doctor {person} said.", "Doctor {person} suspects a [spring|kitchen] in {place2}."),
        ("Tap water should be boiled, the town hall advised.", "Residents queued for bottled water."),
    ),
    later=(
        ("Vaccine for {staff} people arrived by air.", "A plane brought {staff} doses."),
        ("Samples sent to a laboratory in {place3} came back positive.", "The laboratory in {place3} confirmed what doctors had feared."),
        ("{company} recalled a batch of [ham|milk|salad].", "Shops took products of {company} off their shelves."),
    ),
    quotes=(
        ('"Wash your hands and stay calm," said {person}.', '"We have beds, but not nurses," matron {person2} said.'),
    ),
    background=(
        ("The region had its last outbreak in {year}.", "In {year} the same illness closed every school for {n20} days."),
    ),
)  # fmt: skip

SUMMIT = Kind(
    name="summit", language="en", mendable="age10", rings=False,
    headline=("{land} and {land2} sign {pact} treaty", "{land}, {land2} agree on {pact} after night of talks", "{pact} pact ends feud of {land} and {land2}"),
    lead=(
        "{land} and {land2} signed a treaty on {pact} in {place} on {day}, [ending|closing] a dispute that began in {year}.",
        "After a night of talks in {place}, ministers of {land} and {land2} shook hands on {pact} on {day}.",
        "A quarrel over {pact} between {land} and {land2} was settled on {day} in {place}.",
    ),
    lines=(
        ("The text has {minutes} articles and runs for {age10} years.", "It binds both for {age10} years."),
        ("Foreign minister {person} of {land} [initialled|carried] the maps himself.", "Maps were initialled by {person}, who leads the foreign ministry of {land}."),
        ("Parliaments have until [June|autumn] to approve.", "Both parliaments must still vote."),
    ),
    later=(
        ("The opposition in {land2} walked out when it was read.", "In {land2} deputies of the {party} left the chamber."),
        ("Border posts at {place2} will open on Saturday.", "From Saturday lorries may pass at {place2}."),
        ("{land3} protested that it had not been asked.", "A note of protest came from {land3}."),
    ),
    quotes=(
        ('"Our fishermen will sleep tonight," said {person2} of {land2}.', '"Nobody won, so it may last," {person2}, who spoke for {land2}, said.'),
    ),
    background=(
        ("Shots were last fired over it in {year}.", "An earlier treaty, of {year}, was never ratified."),
    ),
)  # fmt: skip

MATCH = Kind(
    name="match", language="en", mendable="minutes", rings=False,
    headline=("{place} beat {place2} in cup thriller", "Late goal sends {place} past {place2}", "{last} sinks {place2}"),
    lead=(
        "A goal by {person} {minutes} minutes into the second half put {place} through against {place2} on {day}.",
        "{place} knocked {place2} out of the cup on {day} thanks to {person}.",
        "{person} scored the only goal as {place} won at {place2} on {day}.",
    ),
    lines=(
        ("The referee sent {person2} off for [arguing|a foul from behind].", "{person2} of {place2} saw red."),
        ("{riders} hundred spectators [braved|sat in] the sleet.", "It was sold out with {riders} hundred spectators."),
        ("Keeper {person3} saved a penalty with his foot.", "A penalty was saved by {person3}."),
    ),
    later=(
        ("{place2} lodged a protest: a substitute was not on the sheet.", "The losers protested over a substitute."),
        ("The draw gave {place} a tie at {place3}.", "Next for {place} is {place3}, the draw said."),
        ("{last} left on crutches and will miss a month.", "Doctors ruled {last} out for a month."),
    ),
    quotes=(
        ('"I closed my eyes and kicked," said {last}.', '"Luck is also trained," trainer {person4} said.'),
    ),
    background=(
        ("{place} last won the cup in {year}.", "Not since {year} had the two met in the cup."),
    ),
)  # fmt: skip

RESCUE = Kind(
    name="rescue", language="en", moving=("saved",), mendable="depth", rings=False,
    headline=("{saved} brought out of flooded {place} {pit}", "Rescuers free {saved} from {pit} at {place}", "Divers reach trapped in {place} {pit}"),
    lead=(
        "Rescuers [pulled|brought] {saved} people out of a flooded {pit} near {place} on {day}; others are still {depth} metres below.",
        "{saved} of those trapped in a {pit} at {place} were safe on {day}, {depth} metres of mud above the rest.",
        "Divers led {saved} people to the surface from a {pit} at {place} on {day}.",
    ),
    lines=(
        ("Pumps from {place2} [lowered|cut] the water by a hand's width an hour.", "The level is falling since pumps came from {place2}."),
        ("Engineer {person} heard knocking on a pipe.", "Knocking was heard on a pipe, said engineer {person}."),
        ("Families [waited|prayed] in a school gym.", "In a tent beside the shaft families kept a list."),
    ),
    later=(
        ("A second shaft is being drilled and will take {n20} hours.", "Drilling of a second shaft began; it needs {n20} hours."),
        ("The operator, {company}, had mapped the galleries wrongly.", "Old maps of {company} were wrong, inspectors found."),
        ("Rain was forecast for the night, and work was speeded up.", "Ahead of more rain the crews doubled."),
    ),
    quotes=(
        ('"They sang so that we could find them," said diver {person2}.', '"It is black and cold and they are brave," {person2}, who dived in, said.'),
    ),
    background=(
        ("It was closed in {year} and opened again for visitors.", "Water broke in there once before, in {year}."),
    ),
)  # fmt: skip

KINDS = (FIRE, ROBBERY, STRIKE, TAKEOVER, OUTBREAK, SUMMIT, MATCH, RESCUE)
