"""Kinds of stories in German, French and Spanish. Every sentence is invented."""

from __future__ import annotations

from services.synthetic.kinds import Kind

UNFALL = Kind(
    name="accident", language="de", moving=("toll",), mendable="hurt", rings=True,
    headline=("{toll} Tote bei [Busunglück|Unfall] nahe {place}", "Bus prallt bei {place} gegen {obstacle} - {toll} Tote"),
    lead=(
        "Bei einem [Busunglück|Unfall] in der Nähe von {place} sind am {day} {toll} Menschen ums Leben gekommen, teilte die Polizei mit.",
        "Ein Reisebus ist am {day} bei {place} gegen {obstacle} geprallt. {toll} Menschen starben, wie die Polizei mitteilte.",
    ),
    lines=(
        ("Weitere {hurt} Fahrgäste wurden in Krankenhäuser in {place2} gebracht.", "In {place2} wurden {hurt} Verletzte behandelt."),
        ("Der Bus gehört dem Unternehmen {company}.", "Betreiber des Busses ist die Firma {company}."),
        ("Die Straße sei [glatt|nass] gewesen, sagte Kreisbrandmeister {person}.", "Kreisbrandmeister {person} sprach von [Glätte|Nebel]."),
    ),
    later=(
        ("Der {age} Jahre alte Fahrer wurde festgenommen, sagte Staatsanwältin {person3}.", "Staatsanwältin {person3} ließ den {age}-jährigen Fahrer festnehmen."),
        ("Die Strecke nach {place2} bleibt bis zum Abend gesperrt.", "Autofahrer sollen {place2} weiträumig umfahren."),
        ("Das Verkehrsministerium untersagte {company} den Betrieb.", "{company} darf vorerst keine Busse fahren lassen."),
    ),
    quotes=(
        ("«Es gab einen Knall, dann war das Dach weg», sagte {person2}.", "«Niemand war angeschnallt», sagte der Fahrgast {person2}."),
    ),
    background=(
        ("An derselben Stelle waren im Jahr {year} {n20} Menschen gestorben.", "Schon {year} hatte es dort einen Unfall mit {n20} Toten gegeben."),
    ),
)  # fmt: skip

PROZESS = Kind(
    name="court", language="de", mendable="years", rings=True,
    headline=("{years} Jahre Haft für {job} {last}", "Gericht in {place} verurteilt {last} zu {years} Jahren"),
    lead=(
        "Das Landgericht {place} hat den früheren {job} {person} am {day} wegen [Betrugs|Untreue] zu {years} Jahren Haft verurteilt.",
        "Wegen [Betrugs|Untreue] muss der frühere {job} {person} für {years} Jahre ins Gefängnis. Das entschied das Landgericht {place} am {day}.",
    ),
    lines=(
        ("{last} habe {mln} Millionen Kronen von {company} erhalten, befand die Kammer.", "Nach Überzeugung der Kammer zahlte {company} {mln} Millionen Kronen an {last}."),
        ("Verteidiger {person2} kündigte Revision an.", "Das Urteil werde nicht halten, sagte Verteidiger {person2}."),
    ),
    later=(
        ("{last} bleibt bis zur Rechtskraft auf freiem Fuß.", "Gegen eine Kaution von {n20} Millionen Kronen kam {last} frei."),
        ("{company} trennte sich von {n20} leitenden Angestellten.", "Der Aufsichtsrat von {company} trat zurück."),
    ),
    quotes=(
        ("«Sie haben verkauft, was Ihnen nicht gehörte», sagte Richterin {person3}.", "«Die Stadt hat Ihr Haus bezahlt», sagte Richterin {person3}."),
    ),
    background=(
        ("{last} hatte die Stadt von {year} an geleitet.", "{last} war vor zwei Jahren in {place2} verhaftet worden."),
    ),
)  # fmt: skip

ACCIDENT = Kind(
    name="accident", language="fr", moving=("toll",), mendable="hurt", rings=True,
    headline=("{toll} morts dans un accident d'autocar près de {place}", "Un autocar percute {obstacle} près de {place}: {toll} morts"),
    lead=(
        "{toll} personnes ont été tuées {day} dans un accident d'autocar près de {place}, a annoncé la police.",
        "Un autocar a percuté {obstacle} {day} près de {place}, faisant {toll} morts, selon la police.",
    ),
    lines=(
        ("{hurt} autres passagers ont été hospitalisés à {place2}.", "Les hôpitaux de {place2} soignaient {hurt} blessés."),
        ("L'autocar appartenait à la société {company}.", "La société {company} exploitait la ligne."),
        ("La chaussée était [glissante|verglacée], a indiqué {person}, chef des pompiers.", "Le chef des pompiers, {person}, a évoqué [le brouillard|la pluie]."),
    ),
    later=(
        ("Le chauffeur, âgé de {age} ans, a été placé en garde à vue, a déclaré la procureure {person3}.", "La procureure {person3} a annoncé la garde à vue du chauffeur, {age} ans."),
        ("La route de {place2} restera fermée jusqu'à la nuit.", "Les automobilistes doivent éviter {place2}."),
    ),
    quotes=(
        ('"J\'ai entendu un cri, puis plus rien", a raconté {person2}.', '"Personne n\'était attaché", a dit {person2}, une passagère.'),
    ),
    background=(
        ("En {year}, un accident au même endroit avait fait {n20} morts.", "{n20} personnes étaient mortes sur cette route en {year}."),
    ),
)  # fmt: skip

SCRUTIN = Kind(
    name="election", language="fr", moving=("pct", "counted"), mendable="turnout",
    headline=("{place}: {last} en tête, {counted}% des bulletins dépouillés", "{last} mène à {place} après dépouillement de {counted}%"),
    lead=(
        "{person} recueillait {pct}% des voix {day} à {place} après dépouillement de {counted}% des bulletins.",
        "À {place}, {person} arrivait {day} en tête avec {pct}% des voix, {counted}% des bulletins étant dépouillés.",
    ),
    lines=(
        ("La participation s'élevait à {turnout}%.", "{turnout}% des électeurs ont voté."),
        ("Son rival {person2} refusait de reconnaître sa défaite.", "{person2}, son adversaire, attendait le résultat des villes."),
    ),
    later=(
        ("{last2} a reconnu sa défaite devant ses partisans à {place3}.", "À {place3}, {last2} a admis avoir perdu."),
        ("Un nouveau décompte a été ordonné dans {n20} cantons.", "Les bulletins de {n20} cantons seront recomptés."),
    ),
    quotes=(
        ('"Cette ville a trop attendu", a lancé {person}.', '"Je gouvernerai pour tous", a promis {person}.'),
    ),
    background=(
        ("{place} était dirigée par la gauche depuis {year}.", "En {year}, {last} avait perdu de peu."),
    ),
)  # fmt: skip

TEMPORAL = Kind(
    name="weather", language="es", moving=("toll",), mendable="homes", rings=True,
    headline=("Un temporal deja {toll} muertos en {place}", "{toll} muertos por las [lluvias|inundaciones] en {place}"),
    lead=(
        "Un temporal dejó {toll} muertos en {place} el {day} y {homes} viviendas sin luz, informó Protección Civil.",
        "Al menos {toll} personas murieron el {day} en {place} por las lluvias, que dejaron {homes} viviendas sin luz.",
    ),
    lines=(
        ("El río {river} creció {n20} centímetros en una hora.", "El {river} superó en {n20} centímetros la marca."),
        ("Los trenes entre {place} y {place2} fueron cancelados.", "No circularon trenes de {place} a {place2}."),
    ),
    later=(
        ("{staff} vecinos de {place2} fueron evacuados al romperse un dique.", "Un dique cedió en {place2} y {staff} vecinos dejaron sus casas."),
        ("El ejército envió {n20} lanchas a {place2}.", "Soldados con {n20} lanchas llegaron a {place2}."),
    ),
    quotes=(
        ("«El agua entró por la pared», contó {person}.", "«Subimos a mi madre al tejado», dijo {person}, un panadero."),
    ),
    background=(
        ("En {year}, una crecida destruyó {n20} puentes en la región.", "La región perdió {n20} puentes en la crecida de {year}."),
    ),
)  # fmt: skip

RESULTADOS = Kind(
    name="results", language="es", mendable="profit",
    headline=("{company} gana {profit} millones en el trimestre", "El beneficio de {company} fue de {profit} millones"),
    lead=(
        "{company} ganó {profit} millones de coronas en el trimestre, frente a {profit2} millones un año antes, informó el {day}.",
        "El beneficio trimestral de {company} fue de {profit} millones de coronas, tras los {profit2} millones del año anterior.",
    ),
    lines=(
        ("La empresa facturó {bln} mil millones de coronas.", "Las ventas sumaron {bln} mil millones de coronas."),
        ("El consejo propuso un dividendo de {price} coronas por acción.", "Los accionistas recibirán {price} coronas por acción."),
    ),
    later=(
        ("{company} cerrará su planta de {place}, con {staff} empleados.", "La planta de {place}, de {staff} empleados, será cerrada."),
    ),
    quotes=(
        ("«Los costes han tocado techo», dijo la consejera delegada, {person}.", "«Fue un trimestre para olvidar», admitió {person}, que dirige la empresa."),
    ),
    background=(
        ("La empresa cotiza desde {year}.", "{company} fue fundada en {year}."),
    ),
)  # fmt: skip

KINDS = (UNFALL, PROZESS, ACCIDENT, SCRUTIN, TEMPORAL, RESULTADOS)
