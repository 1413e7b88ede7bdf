"""How people say it in German."""

from memctl.layers.cues.shape import Cue, Language, measure

# What the work of the moment is about: a statement on it is no lasting fact.
_AT_HAND = "fehler|tests?|testlauf|build|zeilen?|dateien?|datei|code|funktion|ausgabe|ergebnis|problem|antwort|summe|zahl"
_MEASURE = measure(
    "german",
    "grad|prozent|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?|uhr|euro|personen|leute|plätze|mal|liter|meter",
)

LANGUAGE = Language(
    name="german",
    openings=r"(?:(?:ok(?:ay)?|ja|nein|also|und|aber|übrigens|ehrlich gesagt|eigentlich|kurz|notiz|info|hinweis|(?:gerade |soeben |eben )?bestätigt|zur info|für die akten)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction",
            r"^(?:das ist falsch|das stimmt nicht|nicht richtig)[,.:]\s*(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "decision",
            r"^(?:nach [^,.]{3,40}? )?(?:(?:ich|wir) haben?|haben? (?:ich|wir)) (?:(?:uns|mich|darauf|dazu|heute|jetzt|nun|gemeinsam|endlich) )*(?:entschieden|beschlossen|geeinigt|vereinbart|festgelegt),\s*(?:dass (?:wir|ich) )?",
            "{rest}",
        ),
        Cue("decision", r"^(?:entscheidung|beschluss)(?: [\w-]+){0,4}\s?:\s*", "{rest}"),
        Cue(
            "decision",
            r"^(?:ich habe|wir haben)?(?: uns| mich)? ?(?:entschieden|beschlossen|geeinigt)\b|^(?:ich|wir) haben? .{0,40}(?:entschieden|beschlossen|uns geeinigt)\b",
        ),
        Cue("decision", r"^(?:wir|ich) (?:wechseln?|steigen?|stellen?) .{2,80}\b(?:auf|zu|um)\b"),
        # for good
        Cue(
            "commitment",
            r"^(?:ich|wir) werden? (?=.{0,80}\b(?:künftig|in zukunft|ab (?:jetzt|sofort)|von nun an)\b)(?=.{12,})",
            "Werde {rest}",
        ),
        Cue(
            "commitment",
            r"^(?:ich|wir) (?:schicke|sende|liefere|maile|erledige|mache|prüfe|bringe|repariere|aktualisiere|übernehme|melde|bereite|reiche|gebe|stelle|rufe|schreibe|überarbeite)n?\b.{2,100}\b(?:bis|morgen|am|nächste\w?|ende|vor)\b",
        ),
        Cue(
            "commitment",
            r"^(?:ich habe|wir haben) .{2,40}(?:versprochen|zugesagt)|^(?:ich|wir) (?:werden?|verpflichten?|verspreche[n]?) .{4,}\b(?:bis|am|nächste|morgen|ende|vor)\b",
        ),
        Cue(
            "preference",
            r"^(?!es\b|das\b|ich\b|wir\b)(?:frau |herr )?[a-zäöü][\w-]*(?: [\w-]+)? (?:möchte|will|wünscht|bekommt|hätte) .{3,120}\b(?:statt|anstatt|lieber|grundsätzlich|immer|nur)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!es\b|das\b|ich würde gern)[a-zäöü][\w-]* .{2,80}\blieber\b.{0,80}\b(?:als|statt)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!es\b|das\b)[a-zäöü][\w-]*(?: [\w-]+)? (?:bevorzug\w+|mag|mögen|hass\w+|zieh\w+ .{2,80} vor|möchte lieber|würde lieber)\b|^.{2,40} (?:ist|wäre) (?:mir|ihr|ihm) lieber",
        ),
        Cue(
            "identity",
            r"^(?:ich heiße|mein name ist|ich wohne|ich lebe|ich arbeite (?:als|bei)|ich bin (?:von beruf|ein|eine|[\w-]+(?:er|in)\b)|meine? (?:frau|mann|tochter|sohn|hund|katze|geburtstag|adresse) )",
        ),
        Cue(
            "instruction",
            r"^(?:bitte )?(?:immer|nie|niemals|ab jetzt|ab sofort|ab heute|von nun an|künftig|in zukunft|grundsätzlich|standardmäßig)\b.{4,}|^.{2,80}\b(?:bitte immer|niemals|nie wieder)\b.{2,}|^(?:antworte|schreib|verwende|benutze|nutze)\w* .{2,60}\b(?:immer|statt|anstatt|auf deutsch|auf englisch)\b",
        ),
        Cue(
            "opinion",
            r"^(?:ich (?:finde|denke|glaube|meine|vermute)|(?:finde|denke|glaube|meine|vermute) ich),? (?:dass )?(?=.{20,})",
            "{rest}",
        ),
        Cue(
            "opinion",
            r"^(?:meiner (?:meinung|ansicht|einschätzung|erfahrung) nach|aus meiner sicht|meines erachtens),? (?=.{20,})",
        ),
        Cue("opinion", r"^(?:meine meinung|ich bin (?:skeptisch|überzeugt))\b.{20,}"),
        Cue("fact", r"^(?:laut|gemäß) [\w-]+.{4,120}\d"),
        # what is ours, or has a name or an article, and is measured
        Cue(
            "fact",
            rf"^(?:der|die|das|unsere?|meine?|[a-zäöüß-]+s(?= [a-zäöü]))(?:(?<=')| )(?!(?:{_AT_HAND})(?!\w))[^,;?!]{{2,90}}? (?:ist|sind|beträgt|betragen|liegt|liegen|hat|haben|dauert|dauern|kostet|kosten|gilt|endet|enden|beginnt|beginnen|läuft|laufen|reicht|reichen|wiegt|fasst|braucht|öffnet|schließt|umfasst)(?!\w)[^?!]{{0,60}}?{_MEASURE}",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:gestern|letzte\w?|vorgestern|vor \w+ (?:tagen|wochen|monaten|jahren)|heute morgen)\b).{0,60}\b(?:ich|wir)\b.{2,}",
        ),
    ),
    request=r"^(?:bitte|kannst du|könntest du|können sie|hilf|zeig|gib|schreib|erstelle|mach|füge|finde(?! ich\b)|erkläre|übersetze|ich (?:möchte|will|brauche|hätte gern))\b",
    refuses=r"\bnein\b",
    opines="ehrlich gesagt",
    announces=r"notiz|info|hinweis|bestätigt",
    question=r"\?\s*$",
    hypothetical=r"^(?:wenn|falls|angenommen|vielleicht|möglicherweise)\b",
    pointing=r"^(?:es|das(?= (?:ist|sind|war|wird|hat|heißt|bedeutet|gilt|liegt|geht|wäre|kann|soll\w*|macht|passt)\b)|dies\w*|sie|er|jene\w*|dort|hier)\b",
    follows=(
        ("decision", r"^(?:ab|von (?:nun|jetzt)|stattdessen|künftig|dafür|außerdem|alles andere|nur)\b"),
        ("opinion", r"^(?!das ist (?:aber |natürlich |nur )*(?:meine|nur)|nur meine|aber das)\w"),
        ("commitment", r"^(?:derzeit|aktuell|sonst|ziel)\b"),
    ),
    absolute=r"\b(?:niemals|unter keinen umständen|ausnahmslos|auf keinen fall)\b",
    stressed=r"\b(?:immer|nie|niemals|unbedingt|wichtig|zwingend|dringend)\b",
    first_person=((r"^ich bin\b", "User ist"), (r"^mein name\b", "Name des Users")),
    person=r"^(?:sie|er)(?= )",
    named=r"^([A-ZÄÖÜ][\w-]+)(?= [a-z])",
    unsure=r"\bnicht (?:ganz |so |wirklich )?sicher\b|\bkönnte sein\b|\bweiß nicht\b|\bgute (?:idee|frage)\b|\bklingt (?:gut|super|nach)\b",
    personal=r"(?:ich|wir|du|sie|mein\w*|dein\w*|ihr\w*)\b",
    makes_up=r"^(?:schreib\w*|erzähl\w*)\b.{0,40}?\b(?:geschichte|gedicht|märchen|lied)\b",
    dictated=r"^[^:]{0,80}\b(?:schreib\w*|titel|überschrift|betreff|übersetz\w*|text|satz)\b[^:.]{0,40}:\s?\S",
    binding=r"\b(?:bis|vor|künftig|in zukunft|ab (?:jetzt|sofort)|jede\w*)\b|versproch|zugesagt",
    until=" bis ",
)
