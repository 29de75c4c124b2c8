"""Function words: too common in their language to tell two stories apart. They also tell which language a text is in.

Written for this project, lower case, without accents folded. A word may stand in several languages; a text's own language
decides whether it is left out (German "war" is not English "war").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_LISTS: Final[dict[str, str]] = {
    "en": """
        a about after again against all also am an and any are as at be because been before being between both but by
        can could did do does doing down during each few for from further had has have having he her here hers him his how
        i if in into is it its itself just may me might more most must my no nor not now of off on once only or other our
        out over own per s said same say says she should since so some such t than that the their them then there these
        they this those through to too under until up upon us very was we were what when where which while who whom why
        will with within would you your told according added one two today yesterday tomorrow monday tuesday wednesday
        thursday friday saturday sunday
    """,
    "de": """
        ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da
        dabei damit dann das dass dem den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch
        ein eine einem einen einer eines er es etwa für gegen gegenüber gewesen hab habe haben hat hatte hatten hier hin
        hinter ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist jede jeder jedes jetzt kann kein keine keinen können
        könnte laut man mehr mit muss nach nicht noch nun nur ob oder ohne sagte sagten sehr sei seien sein seine seinem
        seinen seiner seit sich sie sind so sollen sollte sowie über um und uns unter vom von vor war waren was weil weiter
        wenn werde werden wie wieder will wir wird worden wurde wurden zu zum zur zwar zwischen zwei montag dienstag mittwoch
        donnerstag freitag samstag sonntag uhr
    """,
    "fr": """
        a afin ai ainsi alors après au aucun aussi autre autres aux avait avant avec avoir c car ce cela celle celui ces
        cet cette ceux chez comme contre d dans de depuis des deux dit donc dont du elle elles en encore entre est et eu
        faire fait fois ils il j je jusqu l la le les leur leurs lors lui m mais me même mois moins n ne ni non nos notre
        nous on ont ou où par pas pendant peu peut plus pour pourrait pris qu quand que quel quelle qui s sa sans se selon
        sera ses si soit son sont sous sur t tous tout toute toutes très un une vers vous y étaient était été être lundi
        mardi mercredi jeudi vendredi samedi dimanche
    """,
    "es": """
        a al algo ante antes aunque años así cada como con contra cual cuando de del desde después dice dijo donde dos
        durante e el ella ellos en entre era eran es esa ese eso esta estaba estado estas este esto estos está están fue
        fueron ha había habían han hasta hay la las le les lo los luego mas me mi mientras muy más ni no nos o otra otras
        otro otros para pero poco por porque pues que quien se según ser será si sido sin sobre son su sus sí también tan
        tiene tienen todo todos tras tu un una uno unos y ya lunes martes miércoles jueves viernes sábado domingo
    """,
    "it": """
        a ad agli ai al alla alle allo anche ancora anni aveva c che chi ci come con contro cosa cui d da dagli dai dal
        dalla dalle dallo degli dei del della delle dello detto di dopo dove due durante e ed era erano essere fa fra gli
        ha hanno i il in io l la le lei lo loro lui ma mentre mi nei nel nella nelle nello no noi non o ogni oggi per però
        perché più poi prima quale quando quanto quella quelle quelli quello questa queste questi questo qui se secondo sei
        senza si sia solo sono stata state stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tutti tutto un una
        uno è lunedì martedì mercoledì giovedì venerdì sabato domenica
    """,
    "pt": """
        a ainda algo ano anos ante antes ao aos após as até cada com como contra da das de depois desde dia disse do dois
        dos durante e ela elas ele eles em entre era eram essa esse esta estado estava este está estão eu foi foram havia há
        isso isto já lhe mais mas me mesmo muito na nas nem no nos nossa num numa não o onde ontem os ou outra outras outro
        outros para pela pelas pelo pelos por porque quando que quem se segundo sem ser será seu seus sobre sua suas são só
        também tem ter teve tinha tudo um uma você à às é segunda terça quarta quinta sexta sábado domingo
    """,
    "nl": """
        aan al alle als andere ben bij daar dan dat de deze die dit door dus een en er ge gaat geen had hadden haar heb
        hebben heeft hem het hier hij hoe hun ik in is ja je kan kon kunnen maar me meer men met mijn moet na naar niet nog
        nu of om omdat onder ons ook op over sinds te tegen ten ter toen tot tussen twee u uit van veel volgens voor waar
        was wat we wel werd werden wie wil worden wordt zal ze zei zeggen zich zij zijn zo zonder zou zouden maandag dinsdag
        woensdag donderdag vrijdag zaterdag zondag
    """,
    "sv": """
        alla allt att av blev bli blir de dem den denna deras dess det detta dig din du där då efter ej eller en enligt
        ett framför från få får för före ha hade han hans har hela hennes hon honom här i icke inom inte ju kan kunde man
        med mellan men mer mot mycket ni nu när och om oss på redan samt sedan sig sin sina sitt skall ska skulle som så
        säger sa till två under upp ut utan vad var vara varit vi vid vilka vill åt än är över måndag tisdag onsdag torsdag
        fredag lördag söndag
    """,
    "ar": """
        في من على الى إلى عن مع أن ان إن كان كانت قد قال قالت هذا هذه ذلك تلك التي الذي الذين هو هي هم ما لا لم لن كما بعد
        قبل بين حتى كل او أو ثم و منذ عند خلال حيث اي أي غير يوم
    """,
}
STOPWORDS: Final[dict[str, frozenset[str]]] = {code: frozenset(words.split()) for code, words in _LISTS.items()}
"""Language -> its function words. Order matters where a text fits two languages equally: the first one wins."""

_MASKS: Final[dict[str, int]] = {}
for _bit, _words in enumerate(STOPWORDS.values()):
    for _word in sorted(_words):
        _MASKS[_word] = _MASKS.get(_word, 0) | 1 << _bit
_LANGUAGES: Final = tuple(STOPWORDS)


def guess_language(words: Sequence[str]) -> str | None:
    """The language whose function words stand most often among `words` (lower case); None where there are none at all.

    The language tag of the wire is not asked: a copy without one has to get the same answer.
    """
    tally: dict[int, int] = {}
    for word in words:
        mask = _MASKS.get(word)
        if mask:
            tally[mask] = tally.get(mask, 0) + 1
    if not tally:
        return None
    hits = [sum(n for mask, n in tally.items() if mask >> bit & 1) for bit in range(len(_LANGUAGES))]
    return _LANGUAGES[hits.index(max(hits))]
