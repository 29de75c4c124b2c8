"""rules.yaml: every mistake with its line, and nothing of a secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.rules import BadRules, default_rules, read_rules

KEY = "whsec_" + "QUFB" * 8
GOOD = b"""rules:
  - name: tolls
    when: {numbers: {context: [toll], by: 10%}, languages: [no, en]}
    deliver:
      - webhook: {url: "https://hooks.example/a", secret_env: HOOK_KEY}
      - slack: {url_env: CHAT_URL, embargoed: true}
      - email: {to: [desk@paper.example]}
    quiet: {start: "23:00", end: "06:30", zone: Europe/Oslo}
smtp: {host: mail.example, sender: wire@paper.example}
"""
ENVIRONMENT = {"HOOK_KEY": KEY, "CHAT_URL": "https://chat.example/T1/B1/secret"}


def mistakes(text, environment=None):
    with pytest.raises(BadRules) as caught:
        read_rules(text if isinstance(text, bytes) else text.encode(), "rules.yaml", environment)
    return str(caught.value).splitlines()


def test_a_good_file_is_read():
    rules = read_rules(GOOD, "rules.yaml", ENVIRONMENT)
    (rule,) = rules.rules
    assert rule.when.languages == ("no", "en")  # Norwegian, not false
    assert len(rule.channels) == 3
    assert rule.embargoed == {name for name in rule.channels if name.startswith("slack")}
    assert set(rules.channels) == set(rule.channels)


def test_the_pack_that_ships_is_good():
    assert [rule.name for rule in read_rules(*default_rules(), {}).rules] == ["breaking", "disputed"]


def test_a_new_secret_or_another_order_changes_no_channel():
    turned = GOOD.replace(b"HOOK_KEY", b"NEW_KEY").replace(
        b"rules:\n", b"rules:\n  - {name: first, when: {push: true}}\n", 1
    )
    old, new = (read_rules(each, "rules.yaml") for each in (GOOD, turned))
    assert set(old.channels) == set(new.channels)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (b"context: [toll]", b"contxt: [toll]", 3, "contxt"),
        (b"by: 10%", b"by: ten", 3, "per cent"),
        (b'end: "06:30"', b'end: "23:00"', 8, "for ever"),
        (b'end: "06:30"', b'end: "24:00"', 8, "time of day"),
        (b"Europe/Oslo", b"Europe/Olso", 8, "time zone"),
        (b"https://hooks", b"http://hooks", 5, "https"),
        (b"https://hooks.example/a", b"https://user:pw@hooks.example/a", 5, "password"),
        (b"https://hooks.example/a", b"https://169.254.169.254/latest", 5, "not public"),
        (b"https://hooks.example/a", b"https://[::1]/a", 5, "not public"),
        (b"desk@paper.example", b"desk", 7, "mail address"),
        (b"smtp: {host", b"smtq: {host", 9, "smtq"),
        (b"slack: {url_env", b"slack: {url", 6, "url"),
        (b"secret_env: HOOK_KEY", b"secret_env: WRITETHRU_KEY", 5, "settings"),
        (b"languages: [no, en]", b'query: "ferry AND ("', 3, "Syntax error"),
        (b"languages: [no, en]", b'query: "colour:red"', 3, "is no field"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(old, new, line, said):
    assert old in GOOD
    found = mistakes(GOOD.replace(old, new))
    assert any(each.startswith(f"rules.yaml:{line}: ") and said in each for each in found), found


def test_all_mistakes_are_named_at_once_and_in_order():
    text = (
        GOOD.replace(b"by: 10%", b"by: ten")
        .replace(b"desk@paper.example", b"desk")
        .replace(b"smtp: {host", b"smtp: {hos")
    )
    assert [int(each.split(":")[1]) for each in mistakes(text)] == [3, 7, 9]


def test_a_secret_that_is_not_set_or_is_no_key_is_a_mistake_and_never_printed():
    assert "HOOK_KEY is not set" in mistakes(GOOD, {**ENVIRONMENT, "HOOK_KEY": ""})[0]
    (short,) = mistakes(GOOD, {**ENVIRONMENT, "HOOK_KEY": "c2hvcnQ="})
    (chat,) = mistakes(GOOD, {**ENVIRONMENT, "CHAT_URL": "hunter2"})
    assert "c2hvcnQ" not in short
    assert "hunter2" not in chat


def test_a_name_that_stands_twice_and_a_silence_of_nothing():
    (twice,) = mistakes("rules:\n - {name: a, when: {}}\n - {name: a, when: {}}\n")
    assert twice.startswith("rules.yaml:3: ")
    (unknown,) = mistakes(
        "rules:\n - {name: a, when: {}}\nsilences:\n - {id: s, by: x, rules: [b], until: 2026-03-11T08:00:00Z}\n"
    )
    assert "no rule 'b'" in unknown


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[" * 20_000,
        b"rules: [",
        b"\xff\xfe\x00",
        b"a: *b",
        b"? [x]\n: 1",
        b"a: 1\n---\nb: 2",
        b"rules: []",
        b"\x00",
    ],
)
def test_what_is_no_file_of_rules_is_a_mistake_and_no_crash(text):
    assert all(each.startswith("rules.yaml:") for each in mistakes(text))


def test_aliases_that_multiply_cost_what_they_are_long():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
    )
    assert mistakes(bomb + "rules: [{name: a, when: {quoted: *y}}]")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_rules_or_a_mistake(data):
    try:
        read_rules(data, "rules.yaml")
    except BadRules as error:
        said = str(error)
    else:
        said = "read"
    assert said
