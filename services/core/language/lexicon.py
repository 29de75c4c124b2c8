"""Newsroom words per language: the one table that the readers of meaning share.

English first, because the measurements are English; German, French, Spanish, Italian, Portuguese, Dutch and Swedish hold
what is certain. A language without a table gets `NEUTRAL`: then numbers, names and novelty still speak, words do not.
Phrases are separated by "|"; all are lower case and matched whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
import Stemmer  # type: ignore[import-not-found]  # a C module without stubs

from services.core.language.stopwords import STOPWORDS, guess_language
from services.core.language.text import fold, words


class Lexicon(msgspec.Struct, frozen=True, kw_only=True):
    """The words of one language, each set by what it does to a sentence.

    `hedges` make a statement less than certain, `firm`
    words more, `plans` make it one about tomorrow; `opposites` maps a word to those that contradict it; `status` words say where a matter stands, `alike` which of them
    say the same; `events` are things that happen, `grave` ones that ring; `past` is evidence of background and `perfect` a hint of
    it, `possessives` point back at what was named, `now` and `future` are evidence
    against it; `more` marks an
    increment (a further 30), which is never the earlier amount with another value; `bases` say what a figure counts.
    `market` words name what is traded, `session` words how it moves on any day, `extreme` ones how it does not.
    """

    pronouns: frozenset[str] = frozenset()
    negation: frozenset[str] = frozenset()
    hedges: frozenset[str] = frozenset()
    plans: frozenset[str] = frozenset()
    firm: frozenset[str] = frozenset()
    opposites: dict[str, frozenset[str]] = {}
    status: frozenset[str] = frozenset()
    saying: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    alike: dict[str, frozenset[str]] = {}
    grave: frozenset[str] = frozenset()
    past: tuple[str, ...] = ()
    perfect: tuple[str, ...] = ()
    possessives: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    future: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()
    months: dict[str, int] = {}
    weekdays: frozenset[str] = frozenset()
    market: frozenset[str] = frozenset()
    session: frozenset[str] = frozenset()
    extreme: frozenset[str] = frozenset()


def _set(words: str) -> frozenset[str]:
    """Folded as `text.words` folds, so that "schließt" is found."""
    return frozenset(fold(word) for word in (words.split("|") if "|" in words else words.split()))


def _phrases(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


def _opposites(groups: str) -> dict[str, frozenset[str]]:
    """`"rise rose up / fall fell down ; …"` -> each word to the words on the other sides of its group."""
    table: dict[str, set[str]] = {}
    for group in groups.split(";"):
        sides = [fold(side).split() for side in group.split("/")]
        for i, side in enumerate(sides):
            others = {word for j, other in enumerate(sides) if j != i for word in other}
            for word in side:
                table.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in table.items()}


def _alike(groups: str) -> dict[str, frozenset[str]]:
    """`"agreed signed; lifted dropped"` -> each word to all words that say the same of where a matter stands."""
    table: dict[str, set[str]] = {}
    for group in groups.split(";"):
        for word in (some := fold(group).split()):
            table.setdefault(word, set()).update(some)
    return {word: frozenset(others) for word, others in table.items()}


def _months(words: str) -> dict[str, int]:
    """Twelve groups of names, January first."""
    return {name: number for number, group in enumerate(words.split("|"), 1) for name in group.split()}


EN = Lexicon(
    pronouns=_set("he she they it we i you him her them his their who"),
    negation=_set("not no never none nobody nothing neither nor cannot can't won't didn't doesn't don't isn't aren't wasn't "
                  "weren't hasn't haven't hadn't couldn't wouldn't shouldn't without"),
    hedges=_set(
        "may might could alleged allegedly reportedly apparently apparent possible possibly probable probably likely unlikely "
        "suspected believed imminent potential potentially presumed preliminary unconfirmed tentative provisional rumoured "
        "rumored claimed purported purportedly perhaps maybe"
    ),
    plans=_set("plans planned planning intends intended proposes considers considering mulls weighs seeks hopes"),
    firm=_set("confirmed confirms confirm confirming definite definitely officially verified verifies proven proved"),
    opposites=_opposites(
        "rise rises rose risen rising raise raises raised raising gain gains gained up higher increase increases increased "
        "increasing climb climbs climbed jump jumps jumped soar soars soared grow grows grew growth profit profits "
        "/ fall falls fell fallen falling drop drops dropped dropping decline declines declined declining down lower "
        "lowers lowered decrease decreases decreased cut cuts off slump slumps slumped plunge plunged shrink shrank loss losses"
        "; imposed imposes impose / proposed proposes propose lifted lifts lift planned considered"
        "; accept accepts accepted approve approves approved back backs backed agree agrees agreed agreement "
        "/ reject rejects rejected refuse refuses refused oppose opposes opposed deny denies denied turned"
        "; confirm confirms confirmed / deny denies denied alleged suspected unconfirmed rejected"
        "; win wins won victory / lose loses lost defeat defeated draw drew"
        "; guilty convicted / acquitted innocent cleared charged accused suspected"
        "; alive survived survives injured wounded hurt missing / dead died dies killed kills"
        "; open opens opened reopened reopens / close closes closed shut shuts"
        "; begin begins began begun start starts started resume resumes resumed "
        "/ end ends ended stop stops stopped halt halts halted suspend suspends suspended collapse collapses collapsed "
        "finish finished cancelled canceled postponed delayed"
        "; buy buys bought buying acquire acquires acquired purchase purchased / sell sells sold selling divest divested"
        "; include includes included including / exclude excludes excluded excluding"
        "; arrive arrives arrived enter enters entered join joins joined / leave leaves left quit quits depart departed "
        "withdraw withdraws withdrew withdrawn"
        "; support supports supported / oppose opposes opposed criticised criticized"
        "; before / after ; minimum / maximum ; more over above / fewer less under below"
        "; first / last ; north / south ; east / west ; win / loss ; surplus / deficit ; import imports / export exports"
        "; uphold upholds upheld affirm affirmed / overturn overturns overturned quash quashes quashed annul annulled reverse reversed void voided"
        "; allow allows allowed permit permits permitted / ban bans banned bar bars barred block blocks blocked forbid forbade forbidden prohibited"
        "; grant grants granted award awarded / deny denies denied refuse refused revoke revoked"
        "; pass passes passed adopt adopted / defeat defeated veto vetoes vetoed scrapped"
        "; hire hires hired appoint appointed / fire fires fired sack sacked dismiss dismissed oust ousted"
        "; keep keeps kept retain retains retained maintain maintained / drop drops dropped abandon abandoned scrap scraps scrapped"
        "; praise praised welcome welcomed / condemn condemns condemned denounce denounced"
        "; evacuated / returned ; intact undamaged / damaged destroyed wrecked"
        "; legal lawful / illegal unlawful ; success successful succeeded / failure failed fails unsuccessful"
        "; man men boy husband father son / woman women girl wife mother daughter"
        "; current present incumbent / former ex ; released freed / detained arrested held jailed"
        "; extend extends extended / shorten shortened expire expired"
        "; ceasefire truce peace / war fighting ; scheduled planned / cancelled canceled postponed"
        "; general final total / partial interim"
    ),
    status=_set(
        "imposed proposed approved rejected signed agreed cancelled canceled postponed suspended resumed confirmed denied "
        "arrested charged convicted acquitted sentenced released killed died dead injured wounded missing resigned "
        "appointed elected named dismissed sacked fired collapsed ended began started completed withdrawn lifted banned "
        "allowed closed opened evacuated rescued found extinguished contained surrendered seized freed jailed detained "
        "revised amended restated upgraded downgraded withdrew abandoned scrapped shelved dropped halted reversed overturned vetoed "
        "ratified adopted reopened grounded recalled escaped fled fell"
    ),
    alike=_alike(
        "agreed agrees agree agreement signed signs contract contracted deal accord pact licensed license"
        "; lifted lifts dropped drops removed removes scrapped ended ends waived withdrawn withdrew"
        "; approved approves approval confirmed confirms cleared endorsed passed ratified adopted backed accepted"
        "; cancelled canceled scrapped abandoned dropped; dismissed sacked fired ousted removed; arrested detained held seized"
        "; killed died dead dies deaths; injured wounded hurt; began started begun launched opened; completed finished ended closed"
        "; appointed named elected chosen; rejected denied refused; proposed planned offered; freed released; found rescued"
        "; suspended halted stopped; revised amended restated changed"
    ),
    saying=_set(
        "said says say saying told tells added adds announced announces stated states reported reports declared warned "
        "warns quoted according commented argued claimed noted insisted stressed explained replied asked spoke spokesman "
        "spokeswoman spokesperson wrote tweeted testified estimated"
    ),
    events=_set(
        "announced agreed arrested attacked killed died injured wounded resigned launched struck hit crashed exploded "
        "fired appointed named elected signed rejected approved ordered seized won lost sentenced charged convicted "
        "collapsed erupted declared withdrew evacuated rescued voted ruled filed sued bought sold acquired raised cut "
        "closed opened broke landed sank burned collided shot stabbed detained released fled arrived left met"
    ),
    grave=_set(
        "dead died dies deaths killed kills toll killing killings fatal casualties injured wounded missing war attack attacks attacked bomb bombing explosion "
        "blast earthquake quake tsunami crash crashed fire wildfire hostage shooting shot assassinated coup resigns resigned arrested suspended ceasefire "
        "surrender invasion evacuated evacuation emergency collapse collapsed bankruptcy convicted guilty sentenced "
        "acquitted impeached strike default devaluation hijacked sank"
    ),
    past=_phrases(
        "last year|last month|last summer|last winter|last decade|years ago|months ago|decades ago|previously|predates|"
        "in the past|historically|for years|for decades|formerly|traditionally|was founded|founded in|was born|known for|"
        "in recent years|in recent months|over the past|the previous year|at the time|background"
    ),
    perfect=_phrases(
        "has been|have been|has had|have had|has long|have long|follows|followed|already|since|until now|usually|normally|"
        "has repeatedly|have repeatedly|as expected|earlier this year|earlier this month|earlier this week|"
        "regularly|each year|every year|came after|comes after"
    ),
    possessives=_set("its their his her the that this"),
    now=_set("today tonight now just immediately overnight"),
    future=_set("will shall tomorrow"),
    more=_set("further another additional more extra fresh new second third"),
    bases=_set(
        "oper operating net gross adjusted underlying core diluted basic pretax pre-tax aftertax after-tax primary forma "
        "seasonally annualized annualised nominal real consolidated year-to-date cumulative excluding including"
    ),
    months=_months(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|"
        "november nov|december dec"
    ),
    weekdays=_set("monday tuesday wednesday thursday friday saturday sunday"),
    market=_set(
        "index indices shares share stocks stock equities bourse market markets futures bonds bond yields dollar euro yen sterling "
        "pound franc crown currency currencies gold silver crude oil copper wheat corn points"
    ),
    session=_set(
        "opened opens open closed closes close ended ends finished higher lower firmer weaker easier steady flat unchanged gained gains "
        "gain lost loses losses rose rises rise fell falls fall slipped slips slip eased eases added adds edged edges inched traded "
        "trading trade quoted settled session midday afternoon morning weakened strengthened firmed dipped drifted mixed"
    ),
    extreme=_set(
        "crash crashed crashes plunge plunges plunged plummet plummeted collapse collapsed collapses halt halted halts suspended suspend "
        "suspends suspension record records panic soar soars soared surge surged turmoil rout meltdown tumbled tumbles slump slumped "
        "crisis intervention intervened intervenes devalued devaluation default emergency unprecedented historic worst bailout "
        "bankruptcy lifetime"
    ),
)  # fmt: skip

DE = Lexicon(
    pronouns=_set("er sie es wir ich"),
    negation=_set("nicht kein keine keinen keiner keinem nie niemals nichts niemand ohne weder"),
    hedges=_set("mutmaßlich mutmaßliche mutmaßlichen angeblich vermutlich wahrscheinlich möglich möglicherweise offenbar "
                "könnte könnten soll sollen dürfte vorläufig unbestätigt geplant voraussichtlich anscheinend"),
    firm=_set("bestätigt bestätigte bestätigten offiziell endgültig beschlossen unterzeichnet"),
    opposites=_opposites(
        "steigt steigen stieg gestiegen höher mehr zugenommen / fällt fallen fiel gefallen niedriger weniger gesunken sank"
        "; bestätigt bestätigte / dementiert dementierte bestritt"
        "; bestätigt aufrechterhalten / aufgehoben gekippt verworfen ; erlaubt gestattet / verboten untersagt"
        "; verhängt / vorgeschlagen aufgehoben ; angenommen zugestimmt gebilligt / abgelehnt"
        "; gewinn gewonnen siegt / verlust verloren verliert ; beginnt begonnen begann / endet beendet endete abgebrochen"
        "; schuldig verurteilt / freigesprochen unschuldig ; verletzt / tot getötet gestorben"
        "; kauft gekauft / verkauft ; geöffnet öffnet / geschlossen schließt"
    ),
    status=_set("bestätigt dementiert verhängt beschlossen abgelehnt unterzeichnet abgesagt verschoben festgenommen "
                "verurteilt freigesprochen getötet verletzt vermisst zurückgetreten gewählt ernannt entlassen aufgehoben"),
    saying=_set("sagte sagt sagten erklärte erklärt teilte mitteilte berichtete berichtet betonte hieß zufolge laut "
                "kündigte warnte sprecher sprecherin meldete"),
    events=_set("festgenommen getötet starb gestorben verletzt zurückgetreten angekündigt beschlossen explodiert abgestürzt"),
    grave=_set("tote toten tot getötet gestorben opfer verletzt verletzte krieg angriff anschlag explosion erdbeben brand "
               "absturz rücktritt festgenommen verurteilt notstand"),
    past=_phrases("im vergangenen jahr|im vorjahr|vor jahren|seit jahren|damals|früher"),
    perfect=_phrases("bereits|zuvor|bislang|seit"),
    now=_set("heute jetzt soeben"),
    future=_set("wird werden morgen"),
    more=_set("weitere weiteren weiterer weiteres zusätzlich zusätzliche"),
    bases=_set("netto brutto operativ operative bereinigt bereinigte vorsteuer"),
    months=_months("januar jan jänner|februar feb|märz mrz|april apr|mai|juni|juli|august aug|september sept sep|oktober okt|november nov|dezember dez"),
    weekdays=_set("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"),
    market=_set("dax index aktien aktie börse börsen kurse kurs markt märkte anleihen rendite dollar euro franken gold ölpreis punkte"),
    session=_set("eröffnet eröffnete eröffnen schließt schloss geschlossen höher niedriger fester leichter schwächer stärker unverändert "
                 "behauptet gewann gewannen gewinnt verlor verloren verliert legte stieg steigt stiegen fiel fällt fielen notierte "
                 "notiert handel mittag vormittag nachmittag"),
    extreme=_set("crash einbruch eingebrochen stürzt stürzte absturz rekord rekordhoch rekordtief ausgesetzt aussetzung panik krise "
                 "abgewertet abwertung kurssturz historisch pleite insolvenz kollaps notfall"),
)  # fmt: skip

FR = Lexicon(
    pronouns=_set("il elle ils elles on nous je"),
    negation=_set("ne pas jamais aucun aucune rien personne sans ni non"),
    hedges=_set("présumé présumée présumés probablement peut-être possible probable apparemment pourrait pourraient serait "
                "seraient aurait auraient provisoire soupçonné prévu prévue"),
    firm=_set("confirmé confirmée confirme officiel officiellement définitif approuvé signé"),
    opposites=_opposites(
        "hausse augmente augmenté monte / baisse diminue diminué recule reculé chute ; confirmé confirme / démenti dément"
        "; accepté approuvé adopté / rejeté refusé ; confirmé maintenu / annulé cassé infirmé ; autorisé permis / interdit bloqué ; imposé / proposé levé ; gagné gain / perdu perte"
        "; commence commencé débute reprend reprennent repris reprise / termine terminé fini suspendu cesse cessé arrêt arrête ; coupable condamné / acquitté ; blessé blessés / mort morts tué tués"
        "; acheté achète / vendu vend ; ouvert / fermé"
    ),
    status=_set("confirmé démenti imposé adopté rejeté signé annulé reporté arrêté condamné acquitté tué blessé disparu "
                "démissionné élu nommé suspendu levé"),
    saying=_set("dit déclaré affirmé annoncé indiqué précisé ajouté selon expliqué assuré estimé rapporté porte-parole"),
    events=_set("arrêté tué mort blessé démissionné annoncé adopté explosé élu nommé"),
    grave=_set("mort morts mortes tué tués bilan blessés guerre attaque attentat explosion séisme incendie démission "
               "arrêté condamné urgence"),
    past=_phrases("l'an dernier|l'année dernière|le mois dernier|à l'époque|précédemment"),
    perfect=_phrases("il y a|déjà|auparavant|depuis"),
    now=_set("aujourd'hui maintenant"),
    more=_set("supplémentaire supplémentaires autre autres nouveau nouvelle nouveaux"),
    bases=_set("net nette brut brute opérationnel ajusté"),
    months=_months("janvier janv|février févr|mars|avril|mai|juin|juillet juil|août|septembre sept|octobre oct|novembre nov|décembre déc"),
    weekdays=_set("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    market=_set("indice bourse actions action marché marchés valeurs obligations rendement dollar euro franc or pétrole points cac"),
    session=_set("ouvre ouvert ouverture clôture clôturé clôturait termine terminé hausse baisse gagne gagné gagnait perd perdu perdait "
                 "stable inchangé progresse recule cède cédé avance séance mi-séance échanges cote cotait matinée après-midi"),
    extreme=_set("krach effondrement effondre chute plonge plongeon dégringole record historique suspendu suspendue suspension panique "
                 "crise dévaluation dévalué faillite urgence envolée"),
)  # fmt: skip

ES = Lexicon(
    pronouns=_set("él ella ellos ellas"),
    negation=_set("no nunca jamás ningún ninguno ninguna nada nadie sin tampoco ni"),
    hedges=_set("presunto presunta presuntos supuesto supuesta supuestamente probable probablemente posible posiblemente "
                "podría podrían habría habrían provisional previsto prevista aparentemente"),
    firm=_set("confirmado confirmada confirmó oficial oficialmente definitivo aprobado firmado"),
    opposites=_opposites(
        "sube subió aumenta aumentó alza / baja bajó cae cayó disminuye disminuyó ; confirmó confirma confirmado / desmintió negó niega"
        "; aprobó aprobado aceptó / rechazó rechazado ; confirmó ratificó mantuvo / anuló revocó ; permitió autorizó / prohibió vetó ; impuso impuesto / propuso propuesto levantó ; ganó gana / perdió pierde"
        "; comenzó comienza empezó / terminó termina suspendió ; culpable condenado / absuelto inocente ; heridos herido / muertos muerto"
        "; compró compra / vendió vende"
    ),
    status=_set("confirmado desmentido impuesto aprobado rechazado firmado cancelado aplazado detenido condenado absuelto "
                "muerto herido desaparecido dimitido elegido nombrado suspendido"),
    saying=_set("dijo dicho declaró afirmó anunció señaló indicó agregó añadió aseguró informó según explicó portavoz"),
    events=_set("detenido detenidos murió murieron hirió dimitió anunció aprobó explotó eligió"),
    grave=_set("muertos muerto muertes fallecidos heridos víctimas guerra ataque atentado explosión terremoto incendio "
               "dimisión detenido condenado emergencia"),
    past=_phrases("el año pasado|el mes pasado|hace años|anteriormente|en el pasado"),
    perfect=_phrases("ya|desde|entonces"),
    now=_set("hoy ahora"),
    more=_set("otros otras otro otra adicional adicionales más nuevos nuevas"),
    bases=_set("neto neta bruto bruta operativo ajustado"),
    months=_months("enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre setiembre|octubre|noviembre|diciembre"),
    weekdays=_set("lunes martes miércoles jueves viernes sábado domingo"),
    market=_set("índice bolsa bolsas acciones acción mercado mercados valores bonos rendimiento dólar euro peso oro crudo petróleo puntos ibex"),
    session=_set("abre abrió apertura cierra cerró cierre sube subió subía baja bajó bajaba gana ganó ganaba pierde perdió perdía avanza "
                 "avanzó retrocede retrocedió cede estable sesión mediodía media jornada cotiza cotizaba mañana tarde"),
    extreme=_set("crac desplome desploma desplomó hunde hundió colapso récord histórico histórica suspendida suspendido suspensión "
                 "pánico crisis devaluación quiebra emergencia"),
)  # fmt: skip

IT = Lexicon(
    pronouns=_set("egli lui lei loro"),
    negation=_set("non mai nessuno nessuna niente nulla senza né"),
    hedges=_set("presunto presunta probabile probabilmente possibile forse sarebbe sarebbero avrebbe avrebbero potrebbe previsto"),
    firm=_set("confermato conferma ufficiale ufficialmente definitivo approvato firmato"),
    opposites=_opposites("sale salito aumenta aumentato / scende sceso cala calato ; confermato conferma / smentito smentisce"
                         "; approvato accettato / respinto rifiutato ; feriti ferito / morti morto ; inizia iniziato / finisce finito sospeso"),
    saying=_set("detto dichiarato affermato annunciato spiegato aggiunto riferito secondo portavoce"),
    grave=_set("morti morto vittime feriti guerra attacco attentato esplosione terremoto incendio dimissioni arrestato condannato"),
    past=_phrases("l'anno scorso|il mese scorso|anni fa|in passato|in precedenza"),
    perfect=_phrases("già|da tempo"),
    now=_set("oggi ora"), more=_set("altri altre altro altra ulteriori ulteriore"), bases=_set("netto lordo operativo"),
    months=_months("gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre"),
    weekdays=_set("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
)  # fmt: skip

PT = Lexicon(
    pronouns=_set("ele ela eles elas"),
    negation=_set("não nunca nenhum nenhuma nada ninguém sem nem"),
    hedges=_set("suposto suposta supostamente provável provavelmente possível talvez poderia poderiam teria teriam previsto"),
    firm=_set("confirmado confirmada confirmou oficial oficialmente definitivo aprovado assinado"),
    opposites=_opposites("sobe subiu aumenta aumentou / cai caiu desce desceu ; confirmou confirma / negou nega desmentiu"
                         "; aprovou aprovado / rejeitou rejeitado ; feridos ferido / mortos morto ; começou começa / terminou termina suspendeu"),
    saying=_set("disse afirmou declarou anunciou informou segundo acrescentou explicou porta-voz"),
    grave=_set("mortos morto mortes vítimas feridos guerra ataque atentado explosão terremoto sismo incêndio renúncia detido condenado"),
    past=_phrases("no ano passado|no mês passado|há anos|anteriormente"),
    perfect=_phrases("já|desde"),
    now=_set("hoje agora"), more=_set("outros outras outro outra adicional adicionais"), bases=_set("líquido bruto operacional"),
    months=_months("janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro"),
    weekdays=_set("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"),
)  # fmt: skip

NL = Lexicon(
    pronouns=_set("hij zij ze wij ik"),
    negation=_set("niet geen nooit niets niemand zonder noch"),
    hedges=_set("vermoedelijk vermoedelijke waarschijnlijk mogelijk misschien zou zouden kan vermeende verwacht voorlopig"),
    firm=_set("bevestigd bevestigt officieel definitief goedgekeurd ondertekend"),
    opposites=_opposites("stijgt steeg gestegen hoger / daalt daalde gedaald lager ; bevestigd bevestigt / ontkend ontkent"
                         "; goedgekeurd aanvaard / verworpen afgewezen ; gewond gewonden / dood doden gedood ; begint begon / eindigt eindigde"),
    saying=_set("zei zegt zeggen verklaarde meldde meldt volgens aldus woordvoerder"),
    grave=_set("dood doden gedood slachtoffers gewonden oorlog aanval aanslag explosie aardbeving brand ontslag gearresteerd veroordeeld"),
    past=_phrases("vorig jaar|vorige maand|jaar geleden|destijds"),
    perfect=_phrases("al eerder|eerder|reeds|sinds"),
    now=_set("vandaag nu"), more=_set("nog andere extra verdere"), bases=_set("netto bruto operationeel"),
    months=_months("januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december"),
    weekdays=_set("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
)  # fmt: skip

SV = Lexicon(
    pronouns=_set("han hon de vi jag"),
    negation=_set("inte ej ingen inget inga aldrig utan"),
    hedges=_set("misstänkt misstänkta troligen sannolikt möjligen kanske kan väntas påstådd preliminär uppges"),
    firm=_set("bekräftat bekräftar officiellt slutgiltig godkänt undertecknat"),
    opposites=_opposites("stiger steg ökar ökade / sjunker sjönk faller föll minskar minskade ; bekräftat bekräftar / förnekat förnekar dementerar"
                         "; godkänt / avvisat ; skadade skadad / döda död dödad ; börjar började / slutar slutade"),
    saying=_set("sade sa säger uppger uppgav enligt meddelade meddelar berättade talesperson"),
    grave=_set("död döda dödad dödsoffer skadade krig attack attentat explosion jordbävning brand avgår gripen dömd"),
    past=_phrases("förra året|i fjol|förra månaden|år sedan"),
    perfect=_phrases("redan|tidigare|sedan"),
    now=_set("idag nu"), more=_set("ytterligare andra fler"), bases=_set("netto brutto"),
    months=_months("januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december"),
    weekdays=_set("måndag tisdag onsdag torsdag fredag lördag söndag måndagen tisdagen onsdagen torsdagen fredagen lördagen söndagen"),
)  # fmt: skip

TITLES = _set(
    "mr mrs ms dr sir lord president chancellor minister prime secretary chairman spokesman spokeswoman general sen rep gov "
    "governor king queen prince judge justice senator foreign finance defence defense interior treasury pope"
)
"""What stands before a name and does not tell it from another."""
GENERIC = _set(
    "inc corp co company companies ltd plc ag sa nv spa gmbh llc industries group holdings bank ministry party union council "
    "university institute association federation agency department committee commission corporation city street river "
    "international national airlines motors stores partners systems services"
)
"""Last words that hundreds of names share: Oak Industries is not known because Banner Industries is."""
EVERYWHERE = _set("us uk eu un usa note na am pm gmt")
"""Too common to be news by themselves."""
AGENCIES = _set(
    "afp ap reuters reuter dpa ansa efe lusa anp belga tt ntb apa sda ats pti xinhua kyodo jiji tass interfax upi cnn bbc"
)
LISTENERS = _set("reporters journalists journalisten journalistes periodistas giornalisti jornalistas")
"""Whom a source told: naming the outlet is attribution, never news."""
ABBREVIATED = _set("mr mrs ms dr st gen sen rep gov col prof lt capt hr fr")
"""Words whose full stop ends no name."""
AR = Lexicon(
    negation=_set("لا لم لن ليس ليست ليسوا لما غير دون بدون ولم ولن ولا وليس"),
    hedges=_set("ربما قد يحتمل محتمل يزعم مزعوم"),
    saying=_set("قال قالت قالوا أعلن أعلنت أكد أكدت أضاف أضافت ذكر ذكرت صرح صرحت وقال وقالت وأضاف"),
    weekdays=_set("الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد"),
)

PLACE_WORDS = _set("in at near from aus bei à en em i från te bij nel nella")
BEFORE_SOURCE = _set("according selon según secondo segundo volgens enligt laut")
PERIODS = _set(
    "qtr qtrs quarter half mths months year years weeks full period ended ends ending end avg to the first 1st second 2nd "
    "third 3rd fourth 4th one two three four five six seven eight nine ten eleven twelve"
)
"""Words of a column label in a table of results."""

NEUTRAL = Lexicon()
LEXICONS: dict[str, Lexicon] = {
    "en": EN,
    "de": DE,
    "fr": FR,
    "es": ES,
    "it": IT,
    "pt": PT,
    "nl": NL,
    "sv": SV,
    "ar": AR,
}

GUESS_FROM = 4_000
"""Code points that are asked for the language: a paragraph or two settles it, and the cost stays flat."""


def of(language: str | None) -> Lexicon:
    """The table for a BCP 47 tag ("de-AT" -> German); `NEUTRAL` where there is none."""
    return LEXICONS.get((language or "").lower().replace("_", "-").split("-", 1)[0], NEUTRAL)


def language_of(text: str, declared: str | None = None) -> str | None:
    """The language a text shows by its function words, else the declared one; None where neither helps.

    The text is asked first: the wire's tag may be missing on a copy, and the copy has to get the same answer. The tag
    decides where a short text fits two languages alike.
    """
    return _guessed(words(text[:GUESS_FROM]), declared)


def language_of_copy(paragraphs: Iterable[str], declared: str | None = None) -> str | None:
    """The same of paragraphs, as if one line each: their words have mostly been read already."""
    found: list[str] = []
    left = GUESS_FROM
    for text in paragraphs:
        if left <= 0:
            break
        found += words(text[:left])
        left -= len(text) + 1
    return _guessed(found, declared)


def _guessed(found: Sequence[str], declared: str | None) -> str | None:
    guess = guess_language(found)
    tag = (declared or "").lower().split("-", 1)[0]
    if guess is None or guess == tag or (tag in STOPWORDS and _share(found, tag) >= _share(found, guess)):
        return tag or None
    return guess


def _share(found: Sequence[str], language: str) -> int:
    return sum(word in STOPWORDS[language] for word in found)


_STEMMERS = {
    code: Stemmer.Stemmer(name, 0)
    for code, name in (
        ("en", "english"), ("de", "german"), ("fr", "french"), ("es", "spanish"), ("it", "italian"), ("pt", "portuguese"),
        ("nl", "dutch"), ("sv", "swedish"), ("ar", "arabic"),
    )
}  # fmt: skip


@lru_cache(maxsize=1 << 15)
def stem(word: str, language: str | None) -> str:
    """A folded word without its endings (Snowball), so that "calls" and "called" meet; as it is in other languages."""
    stemmer = _STEMMERS.get(language or "")
    return str(stemmer.stemWord(word)) if stemmer is not None else word
