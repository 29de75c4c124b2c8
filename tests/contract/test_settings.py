from __future__ import annotations

from datetime import timedelta

import pytest

from services.contract.settings import BadSetting, Settings


def test_nothing_set_gives_the_defaults():
    assert Settings.from_environment({"PATH": "/bin"}) == Settings()


def test_what_is_set_is_read():
    settings = Settings.from_environment({"WRITETHRU_WINDOW_ARTICLES": "500", "WRITETHRU_WINDOW_DAYS": "1.5"})
    assert (settings.window_articles, settings.window_days) == (500, timedelta(days=1.5))


def test_limits_follow_the_settings():
    assert Settings.from_environment({"WRITETHRU_MAX_TEXT_KIB": "3"}).limits.text == 3 * 1024


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WRITETHRU_WINDOW_ARTICLES", "0"), ("WRITETHRU_WINDOW_ARTICLES", "many"), ("WRITETHRU_WINDOW_DAYS", "-1"),
        ("WRITETHRU_WINDOW_DAYS", "nan"), ("WRITETHRU_MAX_ITEM_MIB", "1e3"),
    ],
)  # fmt: skip
def test_a_bad_value_fails_with_the_variables_name(name, value):
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment({name: value})


def test_a_misspelt_variable_is_no_default_in_silence():
    with pytest.raises(BadSetting, match="WRITETHRU_WINDOW_ARTICELS"):
        Settings.from_environment({"WRITETHRU_WINDOW_ARTICELS": "500"})


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        Settings().window_articles = 1  # type: ignore[misc]
