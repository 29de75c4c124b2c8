from __future__ import annotations

import pytest

from services.core import wire
from tests.core.wire.helpers import one


def newsml(components: str, *, identity: str = "", management: str = "", label: str = "") -> bytes:
    return (
        f"<NewsML><NewsItem><Identification><NewsIdentifier>{identity}</NewsIdentifier>{label}</Identification>"
        f"<NewsManagement>{management}</NewsManagement><NewsComponent>{components}</NewsComponent></NewsItem></NewsML>"
    ).encode()


def text(copy: str, role: str = "") -> str:
    role = f'<Role FormalName="{role}"/>' if role else ""
    return f"<NewsComponent>{role}<ContentItem><MediaType FormalName='Text'/><DataContent>{copy}</DataContent></ContentItem></NewsComponent>"


HEADLINE = "<NewsLines><HeadLine>Ferry burns</HeadLine></NewsLines>"
FUTURE = "<FutureStatus FormalName='Usable'/><DateAndTime>20260311T120000Z</DateAndTime>"
PHOTO = "<ContentItem Href='a.jpg'><MediaType FormalName='Photo'/></ContentItem>"


def test_the_identifier_is_the_public_one_as_sent_revision_and_all():
    identity = (
        "<ProviderId>sp.example</ProviderId><NewsItemId>7</NewsItemId><RevisionId PreviousRevision='0'>2</RevisionId>"
        "<PublicIdentifier>urn:newsml:sp.example:20260311:7:2</PublicIdentifier>"
    )
    article = one(newsml(HEADLINE, identity=identity))
    assert (article.provider, article.uri, article.version) == ("sp.example", "urn:newsml:sp.example:20260311:7:2", "2")


def test_a_public_identifier_that_is_the_same_for_all_items_is_none():
    identity = "<NewsItemId>7</NewsItemId><PublicIdentifier>urn:newsml:sp.example</PublicIdentifier>"
    assert one(newsml(HEADLINE, identity=identity)).uri == "7"


def test_an_item_without_identifier_is_named_by_its_file():
    article = one(newsml(HEADLINE), source="a/b.xml")
    assert (article.uri, article.provider, article.parse_notes) == (
        "a/b.xml",
        "file",
        ("no identifier: named by its file",),
    )


@pytest.mark.parametrize("role", ["Caption", "Contact", "StyleSheet", "TweetText", "Table of Contents", "Summary"])
def test_what_plays_another_role_is_no_copy(role):
    article = one(newsml(HEADLINE + text("Not this.", role) + text("<p>It burns.</p>") + text("Nor this.", role)))
    assert [p.text for p in article.body] == ["It burns."]


def test_a_component_called_body_comes_before_one_without_a_role():
    assert one(newsml(HEADLINE + text("Aside.") + text("Copy.", "Body"))).body[0].text == "Copy."


def test_lines_of_a_picture_do_not_become_those_of_the_story():
    photo = f"<NewsComponent><NewsLines><HeadLine>A caption</HeadLine><ByLine>Pia</ByLine></NewsLines>{PHOTO}</NewsComponent>"
    article = one(newsml(photo + text("<p>It burns.</p>")))
    assert (article.headline, article.byline) == (None, None)


def test_a_headline_beside_the_copy_is_found():
    sibling = "<NewsComponent><NewsLines><HeadLine>Ferry burns</HeadLine></NewsLines></NewsComponent>"
    assert one(newsml(sibling + text("<p>It burns.</p>"))).headline == "Ferry burns"
    assert one(newsml(text("<p>It burns.</p>", "Body") + text("Ferry burns", "Title"))).headline == "Ferry burns"


def test_a_photo_with_a_caption_is_a_photo_and_its_kill_is_told():
    components = text("<p>A caption.</p>", "Caption") + f"<NewsComponent>{PHOTO}</NewsComponent>"
    assert [s.kind for s in wire.parse(newsml(components), source="x").skipped] == ["picture"]
    killed = one(newsml(components, management="<Status FormalName='Canceled'/>"))
    assert (killed.item_kind, killed.update_kind, killed.body) == ("picture", "kill", ())


def test_an_index_is_a_package():
    assert [s.kind for s in wire.parse(newsml("<NewsItemRef NewsItem='a'/>"), source="x").skipped] == ["package"]


def test_one_item_in_two_languages_is_two_articles_with_identifiers_of_their_own():
    def edition(tag, copy):
        language = f"<DescriptiveMetadata><Language FormalName='{tag}'/></DescriptiveMetadata>"
        return f"<NewsComponent Duid='c.{tag}'>{language}{text(copy, 'Body')}</NewsComponent>"

    data = newsml(HEADLINE + edition("nl", "Brand.") + edition("fr", "Feu."), identity="<NewsItemId>7</NewsItemId>")
    parsed = wire.parse(data, source="x")
    seen = [(a.uri, a.language, a.headline, a.body[0].text) for a in parsed.articles]
    assert seen == [("7#c.nl", "nl", "Ferry burns", "Brand."), ("7#c.fr", "fr", "Ferry burns", "Feu.")]


@pytest.mark.parametrize(
    "management, status, embargoed",
    [
        ("<Status FormalName='USABLE'/>", "usable", None),
        ("<Status FormalName='Withheld'/>", "withheld", None),
        (
            f"<Status FormalName='Embargoed'/><StatusWillChange>{FUTURE}</StatusWillChange>",
            "usable",
            "2026-03-11T12:00:00+00:00",
        ),
        ("<Status FormalName='OPEN'/>", None, None),
        ("", None, None),
    ],
)
def test_status_and_embargo(management, status, embargoed):
    article = one(newsml(HEADLINE, management=management))
    assert (article.pub_status, article.embargoed) == (status, embargoed)


@pytest.mark.parametrize(
    "identity, management, kind",
    [
        ("<RevisionId PreviousRevision='2'>3</RevisionId>", "", "update"),
        ("<RevisionId PreviousRevision='0'>12</RevisionId>", "", None),
        ("<RevisionId PreviousRevision='2'>3</RevisionId>", "<NewsItemType FormalName='Alert'/>", "alert"),
        ("", "<Instruction FormalName='Delete'/>", "kill"),
        ("", "<NewsItemType FormalName='News'/>", None),
    ],
)
def test_what_only_the_format_says_about_the_kind_of_update(identity, management, kind):
    assert one(newsml(HEADLINE, identity=identity, management=management)).update_kind == kind


def test_what_a_human_reads_comes_before_the_number_of_the_revision():
    lines = "<NewsLines><HeadLine>CORRECTED-Ferry burns</HeadLine></NewsLines>"
    article = one(newsml(lines, identity="<RevisionId PreviousRevision='2'>3</RevisionId>"))
    assert article.update_kind == "correction"


@pytest.mark.parametrize("sent", ["<Urgency FormalName='2'/>", "<Urgency>2</Urgency>"])
def test_urgency_as_attribute_or_text(sent):
    assert one(newsml(HEADLINE, management=sent)).urgency == "2"


@pytest.mark.parametrize(
    "lines, slugline",
    [
        ("<SlugLine>Ferry</SlugLine>", "Ferry"),
        ("<ByLine>Pia</ByLine><SlugLine>Pia</SlugLine>", None),
        ("<NewsLine><NewsLineType FormalName='CatchWord'/><NewsLineText>Fire</NewsLineText></NewsLine>", "Fire"),
    ],
)
def test_sluglines(lines, slugline):
    lines = f"<NewsLines><HeadLine>h</HeadLine>{lines}</NewsLines>"
    assert one(newsml(lines)).slugline == slugline
    assert one(newsml(lines, label="<NameLabel>Label</NameLabel>")).slugline == "Label"


def test_initials_of_a_desk_are_no_byline_and_a_date_is_no_dateline():
    lines = "<NewsLines><HeadLine>h</HeadLine><ByLine>gr/bp</ByLine><DateLine>4/4/2026</DateLine></NewsLines>"
    article = one(newsml(lines))
    assert (article.byline, article.dateline) == (None, None)


def test_thousands_of_components_are_no_news():
    data = newsml("<NewsComponent><ContentItem><DataContent>x</DataContent></ContentItem></NewsComponent>" * 1_001)
    assert [error.reason for error in wire.parse(data, source="x").rejected] == ["too_large"]


def test_lines_of_the_document_inside_serve_where_the_envelope_has_none():
    head = "<body.head><hedline><hl1>Ferry burns</hl1></hedline><byline>By Pia</byline></body.head>"
    article = one(newsml(text(f"<nitf><body>{head}<body.content><p>It burns.</p></body.content></body></nitf>")))
    assert (article.headline, article.byline) == ("Ferry burns", "By Pia")


def test_html_that_was_escaped_twice_is_read_as_html():
    article = one(
        newsml(
            HEADLINE
            + text("&amp;lt;p&amp;gt;It burns.&amp;lt;/p&amp;gt;&amp;lt;p&amp;gt;R&amp;amp;amp;D.&amp;lt;/p&amp;gt;")
        )
    )
    assert [p.text for p in article.body] == ["It burns.", "R&D."]
