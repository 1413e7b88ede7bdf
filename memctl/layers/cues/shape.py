"""The shape of a language's table."""

from dataclasses import dataclass

_MONTHS = {
    "german": "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember",
    "french": "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    "italian": "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
    "spanish": "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    "portuguese": "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    "russian": "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
}


def measure(tongue: str, units: str) -> str:
    """Give the pattern of an amount or a date in a European language: a number with one of its *units*, or a day."""
    return (
        r"(?:[$€£]\s?\d|(?<![\w.])\d[\d.,  ]*(?:%|°|€|\$|₽|(?:k?g|k?m|cm|mm|[gt]b|kw|v|"
        rf"{units})\b)|(?<![\w.])\d{{1,2}}(?:er|º|\.)? ?(?:de |di |d')?(?:{_MONTHS[tongue]})\b)"
    )


KINDS = (
    *("correction", "decision", "commitment", "preference", "identity", "instruction"),
    *("method", "dead_end", "artifact", "opinion", "fact", "event"),
)
"""What a sentence may be. Where two fit, the one whose cue stands first in the table is taken."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A way of saying something that will matter again.

    pattern: searched in the sentence in lower case, with straight quotes, without its opening words
        ("honestly", "by the way"); what stands in quotation marks is hidden from it. Gaps are bounded,
        so that matching takes linear time.
    keep: how the content reads: `{whole}` is the sentence, `{rest}` what follows the match, `{name}` the
        named group; the words of the user are kept, the words around them only say who speaks.
    tags: written into the atom's metadata.
    """

    kind: str
    pattern: str
    keep: str = "{whole}"
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Language:
    """How people speak in one language.

    openings: words at the start of a sentence that say nothing themselves; taken away before all else.
    opines: openings after which any statement is an opinion ("honestly").
    refuses: openings that say no; cues with the tag `no` count only behind one of them.
    announces: openings after which any statement is meant to be kept ("for the record:").
    request: a sentence that asks the agent for something now, so it is no memory.
    question: a sentence that asks. hypothetical: one that says what might be.
    pointing: begins with a word for something else, so the sentence does not stand alone.
    vague: leaves open what it is about ("I love having them around").
    follows: a sentence that only goes on with the one before it, by kind of that one.
    absolute: rules without exception. stressed: words that raise the priority.
    first_person: (pattern, replacement) that make the user the subject, for facts about the user.
    person: pronouns at the start of a sentence that stand for a person named in the sentence before.
    named: gives as group 1 the person that a sentence begins with.
    unsure: what is not certain, so no fact, opinion or method. personal: begins with who speaks or is spoken to.
    makes_up: asks for a story, whose events are no rules. reported: what others report.
    dictated: gives words to be written somewhere. objectless: orders that only point at their object, or name none.
    leaning: begins an instruction that leans on what stands before it. remark: what ends a fact and is none.
    binding: makes of an intention more than the next step: to someone, by a date, or for good.
    options: what one calls the things one may choose from. listed, chose: name a choice, and say what it means.
    until: stands between two dates. gap: stands between two sentences.
    """

    name: str
    openings: str
    cues: tuple[Cue, ...]
    request: str
    question: str
    hypothetical: str
    pointing: str
    follows: tuple[tuple[str, str], ...] = ()
    announces: str = r"(?!)"
    opines: str = r"(?!)"
    vague: str = r"(?!)"
    refuses: str = r"(?!)"
    absolute: str = r"(?!)"
    stressed: str = r"(?!)"
    first_person: tuple[tuple[str, str], ...] = ()
    person: str = r"(?!)"
    named: str = r"(?!)"
    unsure: str = r"(?!)"
    personal: str = r"(?!)"
    makes_up: str = r"(?!)"
    reported: str = r"(?!)"
    dictated: str = r"(?!)"
    objectless: str = r"(?!)"
    leaning: str = r"(?!)"
    remark: str = r"(?!)"
    binding: str = r"(?!)"
    options: str = r"(?!)"
    listed: str = "{choice}"
    chose: str = "{choice}: {title}"
    until: str = "–"
    gap: str = " "
