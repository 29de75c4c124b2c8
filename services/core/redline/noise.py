"""What stands around the copy and is none of it: datelines, credits, editors' notes, web furniture.

Everything here is recognised, never guessed: a line that only looks like a dateline in the middle of a story stays copy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec
import regex

from services.core.change import Noise
from services.core.language.text import KEPT, canonical

TAIL: Final = 400
"""Code points at the end of a paragraph in which credits and notes are looked for: none is longer, and hostile text is."""
DATELINE: Final = 200
"""Code points in which a dateline ends."""
SHORT: Final = 100
"""The longest furniture."""

_AGENCIES = (
    "AFP|AP|Associated Press|Reuters|Reuter|UPI|dpa-AFX|dpa|DPA|ANSA|EFE|Lusa|LUSA|ANP|BELGA|Belga|TT|NTB|Ritzau|STT|APA|SDA|ATS|"
    "Keystone-SDA|ots|PTI|ANI|IANS|Xinhua|Kyodo|Jiji|Yonhap|TASS|Tass|Interfax|RIA|Anadolu|AA|MENA|WAM|SPA|KUNA|PA|Press Association|"
    "Bloomberg|Dow Jones|CP|Canadian Press|AAP|Bernama|Antara|APA/dpa|KNA|epd|sid|SID|Agencies|Agenturen|agences|agencias|"
    "أ ف ب|أف ب|أ فب|أفب|رويترز|وكالات|فرانس برس|د ب أ|دب أ|د بأ|دبأ|共同|時事|新华社|路透社|法新社|ロイター"
)
_AGENCY_WORD = (
    r"(?:Press(?:e|edienst|etjänst)?|Prensa|Pers|News(?:wire|room)?|Wires?|Agency|Agenc(?:e|ia|y)|Agência|Agenzia|Agentschap|Agentur|"
    r"Nachrichten(?:agentur)?|Nyhetsbyrån?|Nyheter|Media|Network|Noticias|Notícias|Notizie|Nieuws)"
)
"""A word by which an agency calls itself that is on no list."""
_NAME_WORD = r"\p{Lu}[\p{L}\p{M}\d.&'’-]{0,20}"
_SOME_AGENCY = (
    rf"(?:(?:{_NAME_WORD}[ -]){{0,3}}{_AGENCY_WORD}(?:[ -]{_NAME_WORD}){{0,2}})"
    r"|[\p{Lo}\p{M}・ー]{1,10}(?:通信社?|通訊社?|通讯社|新聞社?|新报|新報|日報|日报|社|電|电)"
)
_SHORT_NAME = rf"(?:{_NAME_WORD}(?: {_NAME_WORD}){{0,3}}|\p{{Ll}}{{2,6}}|{_AGENCIES})"
"""Whatever stands in brackets where only an agency does: Talvik, Meridian Press, kd."""
_DAY = r"(?:\p{L}{2,12}\.? \d{1,2}|\d{1,2}\.? (?:de )?\p{L}{2,12}\.?|le \d{1,2} \p{L}{2,12})(?:,? \d{4})?"
_PARTICLE = r"(?:d[aeou]s?|del|den|la|le|les|el|of|am|an der|der|sur|upon|and|y|e|i|in)"
_PLACE = (
    rf"\p{{Lu}}[\p{{L}}\p{{M}}.'’-]{{0,20}}(?: (?:{_PARTICLE} )?\p{{Lu}}[\p{{L}}\p{{M}}.'’-]{{0,20}}){{0,3}}"
    r"|\p{Lo}[\p{Lo}\p{M}]{0,20}(?: \p{Lo}[\p{Lo}\p{M}]{0,20}){0,2}"
)
_RULE = r"(?:--?|[—–―])"
_AGENCY_DATELINE = regex.compile(
    rf"^\s*(?:(?:{_PLACE})(?:[,/] ?(?:{_PLACE})){{0,2}}(?:, ?{_DAY})?,? ?)?"
    rf"\((?:{_AGENCIES}|\p{{Lu}}{{2,10}})(?:/(?:{_AGENCIES}))?\) ?(?:\.?{_RULE}|:) ?(?=\S)"
)
_CAPITALS = r"\p{Lu}[\p{Lu}\p{M}.'’-]{1,20}(?: \p{Lu}[\p{Lu}\p{M}.'’-]{0,20}){0,3}"
_PLAIN_DATELINE = regex.compile(
    rf"^\s*{_CAPITALS}(?:[,/] ?(?:{_PLACE})){{0,2}}(?:, ?{_DAY})?(?: \(\p{{Lu}}[\p{{L}} ]{{1,24}}\))?(?: ?{_RULE} | \((?:{_AGENCIES})\) )(?=\S)"
)
_OPENING_DATELINE = regex.compile(  # the place, the agency in brackets and the rule together are no sentence's beginning
    rf"^\s*(?:{_PLACE})(?:[,/] ?(?:{_PLACE})){{0,2}}(?:, ?{_DAY})?,? ?(?:\({_SHORT_NAME}(?:/{_SHORT_NAME})?\)|/{_SHORT_NAME}/) ?(?:\.?{_RULE}|:)\s*(?=[\p{{Lu}}\p{{Lt}}\p{{Lo}}\p{{N}}\"“«„'‘»(¡¿]|$)"
)
_EAST_ASIAN_DATELINE = regex.compile(
    r"^\s*(?:【[^】]{1,24}】|[（(][^（()）]{1,16}[電电][)）]|新华社[^。，,]{1,16}[電电]\s*)"
)

_CREDIT = regex.compile(
    rf"(?:\s*{_RULE}\s*(?:{_AGENCIES}|{_SOME_AGENCY})(?:/(?:{_AGENCIES}))?|\s*\((?:{_AGENCIES})(?:[/,] ?(?:{_AGENCIES}|staff))?\)"
    r"|\s*[(（](?:(?i:with|source:|avec|source :|mit|quelle:|con|fuente:|com|fonte:|met|bron:|med|källa:)\s)?"
    rf"(?:{_AGENCIES}|{_SOME_AGENCY})(?:(?:[/,、]|,? (?:and|et|und|y|e|en|och)) ?(?:{_AGENCIES}|{_SOME_AGENCY}))?[)）]"
    rf"|(?<=[.!?…\"'”’»“)])\s*\((?:\p{{Ll}}{{2,6}}(?:/\p{{Ll}}{{2,6}}){{0,2}})\)|(?<=[。」』])\s*[（(][^（()）。]{{1,12}}[)）])\.?\s*$"
    rf"|^\s*(?:{_SOME_AGENCY})\s*$"
)
_CREDITED = (
    r"(?:(?:additional|further) )?(?:reporting|writing|editing|compiled|written|reported|edited|translated|translation|produced|production|"
    r"graphics?|research)(?:(?: and|,| &) (?:(?:additional )?reporting|writing|editing|translated|edited|production|research))? by"
    r"|(?:bericht|text|redigiert|bearbeitet|geschrieben|mitarbeit|übersetzt) (?:von|durch)|(?:redaktion|bearbeitung|mitarbeit):"
    r"|(?:reportage|édité|rédigé|traduit|édition|texte) (?:de|par)|(?:reportage|rédaction|édition) (?=\p{Lu})"
    r"|(?:reporte|reportaje|con información|editado|redactado|redacción|escrito|traducido|edición) (?:de|por)"
    r"|(?:reportagem|edição|editado|redação|com reportagem|escrito) (?:de|por)|(?:servizio|a cura|redazione|scritto|modificato) (?:di|da)"
    r"|(?:verslag|bewerkt|redactie|geschreven) (?:van|door)|(?:rapportering|redigerat|skrivet) (?:av|från)"
)
_CREDITED_NAME = (
    r"(?:\p{Lu}[\p{L}\p{M}.'’-]{0,40}|and|und|et|y|e|en|och|in|at|of|from|with|the|for|by|de|da|du|van|von|al|bin|à|aus|"
    r"(?i:additional|reporting|writing|editing|edited|written|compiled|newsroom|bureau|desk|staff|agency|copy|agencies)|[;,/&])"
)
_SIGN_OFF = regex.compile(
    rf"\s*[(\[]\s*(?i:{_CREDITED})\s*\p{{Lu}}[^()\[\]]{{1,360}}[)\]]\.?\s*$"
    rf"|(?:(?:^|(?<=[.!?\"'”’»)]))\s*)(?i:{_CREDITED})\s+(?=\p{{Lu}})(?:{_CREDITED_NAME}[ ]?)++[.)]?\s*$"
    r"|^\s*(?:Reuters?|REUTERS?|More|MORE|-30-|###|ENDS?|[a-z]{2,4}/[a-z]{2,4}(?:/[a-z]{2,4})?)\s*$"
)

_CREDIT_WORDS = (
    *(f"{work} by" for work in ("reporting", "writing", "editing", "compiled", "written", "reported", "edited", "translated", "translation",
                                "produced", "production", "graphic", "graphics", "research")),
    "bericht", "text", "redig", "rédig", "redak", "redac", "redaç", "redaz", "rédac", "bearbeit", "geschr", "mitarbeit", "übersetzt",
    "report", "édit", "edit", "edici", "ediç", "tradu", "con info", "escrit", "servizio", "a cura", "scritt", "modificat", "verslag",
    "bewerkt", "rapporter", "skriv",
)  # fmt: skip
"""Letters one of which stands in every match of `_CREDITED`, in lower case: a search by letters is a hundred times cheaper."""
_FOLD_TO_ASCII = frozenset("İſ\u212a")
"""All letters beyond ASCII that a pattern takes for one of ASCII where case is ignored, and `lower` does not."""
_SIGNATURE = 14
"""Code points of the longest sign-off without a word of credit: "abc/defg/hijk"."""
_CREDIT_ENDS = (")", "）", *_AGENCIES.split("|"))
"""What a credit ends with: a bracket, or an agency, or …"""
_CREDIT_WORD = regex.compile(_AGENCY_WORD)

_NOTE_ENDS = (")", "]")
_DASHED = re.compile(r"[.!?\"'”’»)]\s*[-—–―]")
"""Where a note begins that hangs on a sentence by its dash."""
_NOTE_VERB = (
    r"(?:corrects?|correcting|adds?|adding|updates?|updating|clarif(?:ies|y|ying)|fix(?:es)?|recasts?|releads?|removes?|deletes?|"
    r"rewrites?|refiles?|repeats?|restores?|amends?|inserts?|trims?|drops?|edits|this version|subs?|"
    r"berichtigt|berichtigung|korrigiert|korrektur|ergänzt|aktualisiert|neu|wiederholung|durchgehend|präzisiert|"
    r"corrige|rectifie|actualise|ajoute|précise|actualización|actualiza|añade|agrega|corregge|aggiorna|aggiunge|"
    r"atualiza|acrescenta|corrigeert|verbetert|voegt toe|rättar|rättelse|uppdaterar|lägger till)"
)
_NOTE_SUBJECT = (
    r"(?:para(?:graph)?s?|grafs?|headline|lede?|lead|lines?|spelling|names?|dates?|figures?|quotes?|byline|dateline|background|"
    r"details?|comments?|reaction|slug|typo|title|amount|Absatz|Überschrift|paragraphe|titre|párrafo|título|paragrafo|alinea|stycke)"
)
_NOTE_HEAD = (
    r"(?:eds?\b\.?:?|editors?(?:'s|'s|’s)? notes?\b|note to editors|attention editors|achtung redaktionen|korr\.:)"
)
_GLUED_NOTE = regex.compile(
    rf"(?:(?<=[.!?\"'”’»)])\s*{_RULE}\s*(?P<dashed>{_NOTE_VERB}\b[^\n]{{0,240}})"
    rf"|(?:^|\s)[(\[](?P<bracketed>(?:{_NOTE_VERB}\b|{_NOTE_HEAD})[^()\[\]]{{0,240}})[)\]])\.?\s*$",
    regex.IGNORECASE,
)
_WHOLE_NOTE = regex.compile(
    rf"^\s*(?:{_RULE}\s*(?P<dashed>{_NOTE_VERB}\b.{{0,240}})|(?P<headed>{_NOTE_HEAD}.{{0,600}})"
    rf"|(?P<plain>{_NOTE_VERB}\b(?! (?:to|up)\b)(?=.{{0,100}}\b{_NOTE_SUBJECT}\b).{{0,120}}))$",
    regex.IGNORECASE | regex.DOTALL,
)

_FURNITURE = regex.compile(
    r"^\W*(?:(?:(?:last )?(?:updated|published|posted|modified):?\s*)?(?:\d{1,4}|an?|one)\s*"
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?)\.? ago"
    r"|\d[\d.,]{0,9}\s?[km]?\s(?:shares?|comments?|likes?|views?|retweets?|reads?|reactions?|min(?:ute)? read)"
    r"|vor \d{1,4} (?:minuten?|stunden?|tag(?:en)?)|il y a \d{1,4} (?:minutes?|heures?|jours?)|hace \d{1,4} (?:minutos?|horas?|días?)"
    r"|advertisement|ad|sponsored|anzeige|werbung|publicité|publicidad|pubblicità|publicidade|advertentie|annons"
    r"|share(?: this(?: article| story)?)?|read more|story continues below(?: advertisement)?|sign up for our newsletter)\W*$",
    regex.IGNORECASE,
)

_PAYWALL = regex.compile(
    r"\b(?:(?:please )?(?:subscribe|sign in|sign up|log in|register)(?: now| today| here| or \w+)? (?:to|and) (?:continue|keep|read|view|unlock|get|access)"
    r"|subscribe (?:now|today)|to (?:continue|keep) reading|to read (?:the|this) (?:full|whole|entire|rest)"
    r"|already (?:a|an) (?:\w+ )?(?:member|subscriber)|already (?:subscribed|registered)|have an account\? (?:log|sign) in"
    r"|(?:article|story|content|page) is (?:only |exclusively )?(?:for|available to|reserved for) (?:\w+ )?(?:subscribers|members)"
    r"|(?:exclusive|only) (?:for|to) (?:subscribers|members)|unlimited (?:digital )?access|create a free account|start your (?:free )?trial"
    r"|nur für (?:\w+ )?abonnenten|jetzt (?:abonnieren|anmelden|weiterlesen|testen)|bereits (?:abonnent|abonniert|registriert)|um weiterzulesen"
    r"|réservé(?:e|s)? (?:à nos|aux) abonnés|déjà abonné|abonnez-vous|pour lire la suite|poursuivre (?:la|votre) lecture"
    r"|(?:exclusiv[oa]s?|solo|sólo) para suscriptores|suscríb[ae](?:te|se)|ya eres suscriptor|inicia sesión|seguir leyendo"
    r"|riservat[oa] agli abbonati|abbonati (?:ora|per)|sei già abbonato|continua(?:re)? a leggere"
    r"|exclusivo para assinantes|assine (?:já|agora|para)|já é assinante|continu(?:ar|e) (?:a ler|lendo|a leitura)"
    r"|alleen voor abonnees|al abonnee|verder te lezen|word abonnee|endast för prenumeranter|redan prenumerant|läsa vidare)\b"
    r"|للمشتركين فقط|اشترك الآن|会員限定|有料会員|ログインして|续读|订阅后|登录后|会员专享|구독자 전용",
    regex.IGNORECASE,
)
_PAYWALL_LINE = regex.compile(rf"^\W*(?:[\w'’]+\s+){{0,3}}?(?:{_PAYWALL.pattern})", regex.IGNORECASE)
_READERS = regex.compile(
    r"\b(?:read|subscri|member|abonn|abbonat|suscri|assin|prenumer|leer|lire|lesen|lezen|läsa)|会員|读|المشترك",
    regex.IGNORECASE,
)
LONGEST_PAYWALL_LINE: Final = 160
LONGEST_STUB: Final = 1_000
"""Code points of all that a paywall leaves of an item: a teaser, an offer, a login line."""


def is_stub(texts: Iterable[str]) -> bool:
    """Whether an item's copy is what a paywall shows instead of it: short, and asking the reader to subscribe."""
    text = "\n".join(texts)
    return len(text) <= LONGEST_STUB and _PAYWALL.search(text) is not None


_NUMBERED = r"(?:UPDATE|WRAPUP|LEAD|ACTUALISATION|ACTUALIZACIÓN|ACTUALIZA|ATUALIZAÇÃO|ATUALIZA|AGGIORNAMENTO|AKTUALISIERUNG|UPPDATERING)"
_LEAD_MARK = r"(?:\d{1,2}(?:st|nd|rd|th|\.)\s?(?:Ld|Lead|Zf|Zusammenfassung)(?:-Writethru)?|Ld\.?-?Writethru|Writethru)"
_STATUS = (
    r"(?:RELEASED?|HOLD|HELD|KILL(?:ED)?|WITHDRAWN|WITHDRAWAL|CANCELL?ED|EMBARGO(?:ED)?|EXCLUSIVE|BREAKING(?: NEWS)?|DEVELOPING|JUST IN|"
    r"NEWS ?ALERT|NEWS ?FLASH|SNAP|FREIGABE|FREIGEGEBEN|SPERRFRIST|ZURÜCKGEZOGEN|EILMELDUNG|LIBÉRÉ|ANNULÉ|SOUS EMBARGO|LIBERADO|ANULADO|"
    r"ANNULLATO|LIBERADA|VRIJGEGEVEN|INGETROKKEN)"
)
_HEADLINE_PREFIX = regex.compile(
    rf"^\s*(?:[(\[]?(?:CORRECT(?:ED|ION|S|IVE)|CLARIFICATION|REFILE|REFILED|RPT|REPEAT|{_NUMBERED}(?: ?\d{{1,3}})?|URGENT|ALERT|FLASH|BULLETIN|"
    rf"ADVISORY|{_LEAD_MARK}|(?-i:{_STATUS})|{_STATUS}(?=\s*:)|BERICHTIGUNG|KORREKTUR|EIL|EILT|"
    r"CORRIGÉ|RECTIFICATIF|CORRECCIÓN|RETTIFICA|CORREÇÃO|CORRECTIE|RÄTTELSE|تصحيح|訂正|更正)[)\]]?\s*(?:\([^()]{0,40}\))?\s*(?:[-:—–/]|\.\.\.)+\s*"
    rf"|(?-i:{_NUMBERED}) \d{{1,3}}\s+|[(\[]?{_LEAD_MARK}[)\]]?[\s:,-]+(?=\S)){{1,3}}",
    regex.IGNORECASE,
)
_HEADLINE_TAIL = regex.compile(
    rf"(?:\s*(?:=\s*\d{{0,2}}|[(\[](?:\d{{1,2}}|\d{{1,2}}/\d{{1,2}}|{_LEAD_MARK}|(?:UPDATE|LEAD)(?: \d{{1,2}})?)[)\]]"
    rf"|[-–—,]?\s(?-i:{_NUMBERED})(?: \d{{1,2}})?|[-–—,]\s?{_LEAD_MARK})){{1,3}}\s*$",
    regex.IGNORECASE,
)
"""Marks behind a headline: "=2" and "(2)" for the take, the number of the lead."""
LONGEST_TAIL: Final = 60
"""Code points at the end of a headline in which its marks are looked for."""


class Dressed(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph taken apart: the copy, and what stood before and behind it. Nothing is lost but outer blanks."""

    copy: str
    dateline: str | None = None
    credit: str | None = None
    note: str | None = None
    furniture: bool = False


def take_apart(text: str, *, first: bool = False) -> Dressed:
    """Dateline, copy, editor's note and credit of one paragraph.

    A dateline without an agency's name is believed only where a story opens (`first`): elsewhere "FRANCE - two dead" is
    a list. Furniture (share counters, "2 days ago") has no copy.
    """
    return _apart_kept(text, first=first) if len(text) <= KEPT else _apart(text, first=first)


def _apart(text: str, *, first: bool) -> Dressed:
    if is_furniture(text):
        return Dressed(copy="", furniture=True)
    copy = text.strip()
    dateline = credit = None
    note = editors_note(copy)
    if note is not None:
        copy = _without_note(copy)
    for pattern, may_stand in ((_SIGN_OFF, _may_sign_off), (_CREDIT, _may_credit)):
        if may_stand(copy) and (found := pattern.search(copy, max(0, len(copy) - TAIL))):
            credit = found[0].strip() if credit is None else f"{found[0].strip()} {credit}"
            copy = copy[: found.start()].rstrip()
    patterns = (_AGENCY_DATELINE,) if "(" in copy else ()
    for pattern in (*patterns, _OPENING_DATELINE, _EAST_ASIAN_DATELINE, _PLAIN_DATELINE) if first else patterns:
        found = pattern.match(copy, endpos=DATELINE)
        if found and not (pattern is _PLAIN_DATELINE and copy.isupper()):
            dateline = found[0].strip()
            copy = copy[found.end() :].lstrip()
            break
    return Dressed(copy=copy, dateline=dateline, credit=credit, note=note)


_apart_kept = lru_cache(maxsize=1 << 11)(_apart)


def _may_sign_off(copy: str) -> bool:
    """The cheap question before the search, which most paragraphs answer with no."""
    if len(copy) <= _SIGNATURE:
        return True
    tail = copy[-TAIL:].lower()
    return any(word in tail for word in _CREDIT_WORDS) or not (tail.isascii() or _FOLD_TO_ASCII.isdisjoint(copy))


def _may_credit(copy: str) -> bool:
    return (
        copy.removesuffix(".").endswith(_CREDIT_ENDS)
        or _CREDIT_WORD.search(copy, max(0, len(copy) - SHORT)) is not None
    )


def strip_noise(text: str, *, first: bool = False) -> str:
    """The copy alone: what two paragraphs are compared by."""
    return take_apart(text, first=first).copy


def is_furniture(text: str) -> bool:
    """Whether a paragraph belongs to the web page and not to the story: counters, relative times, paywall and advertisement marks."""
    if len(text) <= SHORT and _FURNITURE.match(text) is not None:
        return True
    return (
        len(text) <= LONGEST_PAYWALL_LINE
        and _READERS.search(text) is not None
        and _PAYWALL_LINE.match(text) is not None
    )


def editors_note(text: str) -> str | None:
    """The editor's note that this paragraph is or ends in, without its dashes or brackets; None where there is none."""
    return _note_kept(text) if len(text) <= KEPT else _note(text)


def _note(text: str) -> str | None:
    found = _whole_note(text) or _glued_note(text)
    return next(part.strip() for part in found.groups() if part is not None) if found else None


_note_kept = lru_cache(maxsize=1 << 11)(_note)


def is_only_note(text: str) -> bool:
    """Whether nothing but an editor's note stands in this paragraph: it belongs to the desk, not in the copy."""
    return editors_note(text) is not None and not canonical(_without_note(text))


def bare_headline(headline: str | None) -> str:
    """A headline without the wire's marks around it: CORRECTED, UPDATE 2, RELEASED, "1st Ld", "=2". "" for None.

    A headline that is nothing but marks stays as it is.
    """
    if not headline:
        return ""
    bare = _HEADLINE_PREFIX.sub("", headline)
    if tail := _HEADLINE_TAIL.search(bare, max(0, len(bare) - LONGEST_TAIL)):
        bare = bare[: tail.start()]
    return bare if canonical(bare) else headline


def canonical_headline(headline: str | None) -> str:
    """`bare_headline` without tickers, case and punctuation. "" for None."""
    return canonical(bare_headline(headline))


_PLEASE_READ = regex.compile(
    r"\b(?:please|pls) (?:read|see|note|substitute|change|correct)\b|\bshould (?:read|have read)\b|\bread it as\b|\bbitte lesen\b"
    r"|\bmuss es (?:richtig )?heißen\b|\b(?:prière de )?lire\b|\blire bien\b|\bléase\b|\bsi legga\b|\bleia-se\b|\bgelieve te lezen\b"
    r"|\bläs\b",
    regex.IGNORECASE,
)
_ITEM_NAMED = regex.compile(  # In Norvik item headlined "Port Shut," …
    r"^\W*in (?:the |our |its )?[\p{L}., /]{0,40}\b(?:item|story|report|dispatch)\b[^\"“]{0,30}[\"“][^\"”]{3,160}[\"”],?",
    regex.IGNORECASE,
)
_WHERE_ENDS = regex.compile(r"\.\.\.+|…|:| -- | — |\bx{2,4}\b", regex.IGNORECASE)


def asks_to_read(text: str) -> bool:
    """Whether a paragraph is a notice's: "in the item headlined … please read in para 2 …"."""
    return _PLEASE_READ.search(text) is not None


def restated(text: str) -> str:
    """Of a notice's paragraph ("in the item headlined … please read in para 2 … "), the words it puts in place."""
    asked = _PLEASE_READ.search(text)
    if asked is None:
        item = _ITEM_NAMED.match(text)
        return text[item.end() :].strip() or text if item else text
    place = _WHERE_ENDS.search(text, asked.end(), asked.end() + 120)
    return text[(place or asked).end() :].strip() or text


def _without_note(text: str) -> str:
    if _whole_note(text):
        return ""
    found = _glued_note(text)
    return text[: found.start()].rstrip() if found else text


def _whole_note(text: str) -> regex.Match[str] | None:
    return _WHOLE_NOTE.match(text) if len(text) <= 2 * TAIL else None


def _glued_note(text: str) -> regex.Match[str] | None:
    if not (text.rstrip(" .\n")[-1:] in _NOTE_ENDS or _DASHED.search(text, max(0, len(text) - TAIL - 1))):
        return None
    return _GLUED_NOTE.search(text, max(0, len(text) - TAIL))


_QUOTE_MARK = regex.compile(r"''|``|[\"'“”‘’„‚«»‹›「」『』`´]")
_DASH_MARK = regex.compile(r"--+|[—–―‒−]|(?<= )-(?= )")
_ODD_SPACE = regex.compile(r"[^\S ]|  +|[\u200b-\u200f\u2060\ufeff\u00ad]")
_CODE_MARK = regex.compile(r"<[^<>\s]{1,16}>|&(?:[a-z]{2,8}|#\d{1,6});", regex.IGNORECASE)


def count_noise(pairs: Iterable[tuple[str, str]]) -> Noise:
    """Differences between matched paragraphs that were seen and ignored, counted per kind."""
    counts: Counter[str] = Counter()
    for before, after in pairs:
        if before == after:
            continue
        old, new = take_apart(before, first=True), take_apart(after, first=True)
        for kind, marks in (("quotes", _QUOTE_MARK), ("dashes", _DASH_MARK), ("whitespace", _ODD_SPACE)):
            counts[kind] += _differing(marks.findall(old.copy), marks.findall(new.copy))
        counts["wire_codes"] += _differing(_CODE_MARK.findall(before), _CODE_MARK.findall(after))
        counts["dateline"] += old.dateline != new.dateline
        counts["credit"] += (old.credit != new.credit) + (old.note != new.note)
    return Noise(**counts)


def _differing(before: list[str], after: list[str]) -> int:
    """How many marks of the one side have no like on the other."""
    gone, come = Counter(before), Counter(after)
    return max((gone - come).total(), (come - gone).total())
