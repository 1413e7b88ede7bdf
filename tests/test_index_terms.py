"""What text is found by: words, parts of identifiers, CJK pairs, dates; documents and questions alike."""

import pytest
from hypothesis import given, strategies as st

from memctl.index.dates import date_terms
from memctl.index.terms import every_term, query_terms, terms


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("_calculate_separability_matrix fails", "separability"),
        ("_calculate_separability_matrix fails", "calculate_separability_matrix"),
        ("open src/auth/loginForm.tsx", "loginForm.tsx"),
        ("open src/auth/loginForm.tsx", "login form"),
        ("HTTPServerError in parseJSONBody", "json body"),
        ("error TS2345 at line 7", "TS2345"),
        ("ERR_CONN_REFUSED", "conn_refused"),
        ("exit with 0x80070005", "0x80070005"),
        ("upgraded to 3.11.2", "3.11.2"),
        ("Caroline's books", "caroline book"),
        ("la café fermée", "CAFE"),
        ("ＡＢＣ１２３", "abc123"),
        ("we use C++ and C#", "c++"),
        ("整理港校学费表格", "表格"),
        ("整理港校学费表格", "校"),
        ("カメラを買った", "カメラ"),
        ("ｶﾒﾗを買った", "カメラ"),
        ("한국어를 배워요", "한국어"),
        ("用python写脚本", "Python 脚本"),
        ("она любит чай", "ЧАЙ"),
        ("हिन्दी में लिखो", "हिन्दी"),
        ("shipped 🎉", "🎉"),
        ("signed on May 23, 2023", "23 May 2023"),
        ("signed on 2023-05-23", "the 23rd of May"),
        ("2023年5月23日签了合同", "May 23, 2023"),
    ],
)
def test_what_was_written_one_way_is_found_when_asked_another(written: str, asked: str) -> None:
    wanted, found = query_terms(asked), set(terms(written))

    assert wanted
    assert 2 * len(found.intersection(wanted)) >= len(wanted)


def test_a_question_of_two_characters_is_one_pair_and_of_one_is_itself() -> None:
    assert query_terms("学费") == ["学费"]
    assert query_terms("学") == ["学"]


def test_words_that_only_put_a_question_are_not_looked_up() -> None:
    assert query_terms("what is it that you have been") == []


def test_a_month_that_is_a_word_is_no_date() -> None:
    assert list(date_terms("it may march on")) == []
    assert list(date_terms("13/32 and 2023-19-44")) == []


@given(st.text())
def test_every_text_gives_terms_that_its_own_question_finds(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("王芳什么时候通过了驾照考试", ["王芳", "通过", "驾照", "照考", "考试"]),
        ("為什麼備份會失敗", ["備份", "份會", "會失", "失敗"]),
        ("我的狗叫什么名字", ["狗叫", "名字"]),
        ("私の犬の名前は何ですか", ["犬", "名前"]),
        ("会議はいつですか", ["会議"]),
        ("제 고양이 이름이 뭐예요?", ["고양", "양이", "이름", "름이"]),
        ("회의는 언제인가요", ["회의"]),
        ("¿Dónde vive Marta?", ["vive", "marta"]),
        ("Qué come el gato de mi vecina", ["come", "gato", "vecina"]),
        ("Wann hat Jonas die Prüfung bestanden?", ["jona", "prufung", "bestanden"]),
        ("Qu'est-ce que Marie a perdu dans le train ?", ["mari", "perdu", "train"]),
        ("why did the son die of the war", ["son", "die", "war"]),
        ("什么", []),
        ("谁", []),
        ("どうして", []),
        ("왜", []),
    ],
)
def test_words_of_closed_classes_are_not_looked_up_in_any_language(question: str, wanted: list[str]) -> None:
    assert query_terms(question) == wanted


@given(st.text(st.sampled_from("什么谁的了犬の名前はですか고양이는뭐예요 学费a?")))
def test_a_question_is_looked_up_by_nothing_that_its_text_does_not_hold(text: str) -> None:
    assert set(query_terms(text)) <= set(every_term(text)) | set(text)
    assert set(query_terms(text)) <= set(terms(text))
