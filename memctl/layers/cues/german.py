"""How people say it in German."""

from memctl.layers.cues.shape import Cue, Language

LANGUAGE = Language(
    name="german",
    openings=r"(?:(?:ok(?:ay)?|ja|nein|also|und|aber|übrigens|ehrlich gesagt|eigentlich|kurz|notiz|info|hinweis|gerade bestätigt|bestätigt|zur info)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction",
            r"^(?:das ist falsch|das stimmt nicht|nicht richtig)[,.:]\s*(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "decision",
            r"^(?:ich habe|wir haben)?(?: uns| mich)? ?(?:entschieden|beschlossen|geeinigt)\b|^(?:ich|wir) haben? .{0,40}(?:entschieden|beschlossen|uns geeinigt)\b|^(?:entscheidung|beschluss)\b.{0,60}:",
        ),
        Cue("decision", r"^(?:wir|ich) (?:wechseln?|steigen?|stellen?) .{2,80}\b(?:auf|zu|um)\b"),
        Cue(
            "commitment",
            r"^(?:ich habe|wir haben) .{2,40}(?:versprochen|zugesagt)|^(?:ich|wir) (?:werden?|verpflichten?|verspreche[n]?) .{4,}\b(?:bis|am|nächste|morgen|ende|vor)\b",
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
            r"^(?:bitte )?(?:immer|nie|niemals|ab jetzt|von nun an|künftig|in zukunft|grundsätzlich|standardmäßig)\b.{4,}|^.{2,80}\b(?:bitte immer|niemals|nie wieder)\b.{2,}|^(?:antworte|schreib|verwende|benutze|nutze)\w* .{2,60}\b(?:immer|statt|anstatt|auf deutsch|auf englisch)\b",
        ),
        Cue(
            "opinion",
            r"^(?:ich (?:finde|denke|glaube|meine)|meiner meinung nach|meine meinung|ich bin (?:skeptisch|überzeugt))\b.{20,}",
        ),
        Cue(
            "fact",
            r"^(?!es\b|das\b|wenn\b|ich\b|sie\b|er\b)(?=.{0,120}\b(?:frist|budget|stichtag|abgabe\w*|vertrag|richtlinie|temperatur|preis|miete|gehalt|ziel|grenzwert|termin|sitzung|kontingent|serverraum\w*|aufzeichnungen|prüf\w+|blüte\w*)\b).{4,100}\b(?:ist|sind|beträgt|liegt|endet|beginnt|läuft|reichen)\b.{0,80}\d",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:gestern|letzte\w?|vorgestern|vor \w+ (?:tagen|wochen|monaten|jahren)|heute morgen)\b).{0,60}\b(?:ich|wir)\b.{2,}",
        ),
    ),
    request=r"^(?:bitte|kannst du|könntest du|können sie|hilf|zeig|gib|schreib|erstelle|mach|füge|finde|erkläre|übersetze|ich (?:möchte|will|brauche|hätte gern))\b",
    refuses=r"\bnein\b",
    opines="ehrlich gesagt",
    announces=r"notiz|info|hinweis|bestätigt",
    question=r"\?\s*$",
    hypothetical=r"^(?:wenn|falls|angenommen|vielleicht|möglicherweise)\b",
    pointing=r"^(?:es|das|dies\w*|sie|er|jene\w*|dort|hier)\b",
    follows=(
        ("opinion", r"^(?!das ist nur|nur meine)\w"),
        ("commitment", r"^(?:derzeit|aktuell|sonst|ziel)\b"),
    ),
    absolute=r"\b(?:niemals|unter keinen umständen|ausnahmslos|auf keinen fall)\b",
    stressed=r"\b(?:immer|nie|niemals|unbedingt|wichtig|zwingend|dringend)\b",
    first_person=((r"^ich bin\b", "User ist"), (r"^mein name\b", "Name des Users")),
    person=r"^(?:sie|er)(?= )",
    named=r"^([A-ZÄÖÜ][\w-]+)(?= [a-z])",
)
