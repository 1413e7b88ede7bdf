"""How people say it in Spanish."""

from memctl.layers.cues.shape import Cue, Language, measure

# What the work of the moment is about: a statement on it is no lasting fact.
_AT_HAND = r"error|errores|pruebas?|tests?|líneas?|archivos?|código|funci[oó]n\w*|salida|resultados?|problema|respuesta|suma|número|build"
_MEASURE = measure(
    "spanish",
    "grados?|por ciento|días?|semanas?|mes|meses|años?|horas?|minutos?|euros?|personas?|plazas?|veces|litros?|metros?",
)

LANGUAGE = Language(
    name="spanish",
    openings=r"(?:(?:ok|vale|sí|no|pues|y|pero|por cierto|honestamente|sinceramente|francamente|en realidad|nota|dato|recordatorio|para que conste|confirmado|acabo de confirmar)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction",
            r"^(?:eso no es (?:correcto|así|cierto)|es incorrecto)[,.:]\s*(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "decision",
            r"^(?:(?:después de|tras) [^,.]{3,40},? )?(?:(?:he|hemos) (?:decidido|acordado|resuelto|optado)|decid(?:í|imos)|resolvimos|optamos)(?: que (?:vamos a )?| por | en | )(?=\w)",
            "{rest}",
        ),
        Cue("decision", r"^decisión(?: \w+){0,3}\s?:\s*", "{rest}"),
        Cue(
            "decision",
            r"^(?:he|hemos)? ?(?:decid\w+|acordad\w+|acordamos|elegid\w+|optad\w+|elegimos|optamos)\b.{4,}|^(?:vamos a cambiar|cambiamos|pasamos|adoptamos|abandonamos|no más)\b.{4,}",
        ),
        # for good
        Cue(
            "commitment",
            r"^(?=.{0,100}\b(?:en adelante|a partir de ahora|en el futuro)\b)(?:a partir de ahora |en adelante )?(?:no |lo |la |los |las )*(?:\w+[aei]r(?:é|emos)|voy a|vamos a)\b.{8,}",
            "{whole}",
        ),
        Cue(
            "commitment",
            r"^(?:le |les )?(?:he |hemos )?(?:prometí|prometido|prometimos)\b.{4,}|^me comprometo a .{4,}|^(?:voy|vamos) a .{4,}\b(?:antes|para el|mañana|lunes|martes|miércoles|jueves|viernes|fin de)\b|^\w+(?:aré|eré|iré) .{4,}\b(?:antes|para el|mañana|lunes|martes|miércoles|jueves|viernes|fin de)\b",
        ),
        Cue(
            "preference",
            r"^(?!él\b|ella\b|yo\b|eso\b)(?:la señora |el señor |la |el )?[a-záéíóúñ][\w-]*(?: [\w-]+)? (?:quiere|desea|pide|insiste en) .{3,120}\b(?:en lugar de|en vez de|siempre|solo|sólo|únicamente)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!es\b|eso\b)[a-záéíóúñ][\w-]*(?: [\w-]+)? ?(?:prefier\w+|preferimos|odi\w+|me gusta\w*|le gusta\w*|me encanta\w*|preferiría\w*)\b.{3,}|^(?:prefiero|me gusta|me encanta|odio|detesto)\b.{3,}",
        ),
        Cue(
            "identity",
            r"^(?:me llamo|mi nombre es|vivo en|trabajo (?:como|en|para)|soy (?:de|un|una|ingenier\w+|desarrollador\w*|estudiante|alérgic\w+)|mi (?:esposa|esposo|marido|hija|hijo|perro|gato|cumpleaños|dirección) )",
        ),
        Cue(
            "instruction",
            r"^(?:por favor,? )?(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|en el futuro|en adelante|por defecto)\b.{4,}|^.{2,80}\b(?:siempre|nunca)\b.{3,}$|^responde.{0,30}en (?:español|inglés)",
        ),
        Cue(
            "opinion",
            r"^(?:(?:yo )?(?:creo|pienso|opino|considero|me parece) que |(?:en mi opinión|a mi juicio|para mí),? )(?=.{20,})",
            "{rest}",
        ),
        Cue(
            "opinion",
            r"^(?:creo|pienso|opino|considero|me parece)\b.{20,}|^(?:en mi opinión|a mi juicio|mi opinión|soy escéptic\w+|estoy convencid\w+)\b.{10,}",
        ),
        # what is ours, or has a name or an article, and is measured
        Cue(
            "fact",
            rf"^(?:el|la|los|las|nuestr[oa]s?|mis?)(?:(?<=')| )(?!(?:{_AT_HAND})(?!\w))[^,;?!]{{2,90}}? (?:es|son|será|está|tiene|tienen|dura|duran|cuesta|cuestan|empieza|empiezan|comienzan?|terminan?|vence|vencen|indica|dice|se remontan?|abren?|cierran?|pesa|cabe|vale|caduca)(?!\w)[^?!]{{0,60}}?{_MEASURE}",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:ayer|anteayer|la semana pasada|el mes pasado|el año pasado|hace \w+ (?:días?|semanas?|meses|años?)|esta mañana)\b).{0,40}\b(?:\w+é|\w+í|\w+imos|\w+amos|fui|fuimos|hice|tuve|compré|empecé)\b.{4,}",
        ),
    ),
    request=r"^(?:por favor|puedes|podrías|puede|ayúdame|ayuda|muestra|dame|escribe|crea|añade|encuentra|explica|traduce|quiero|quisiera|necesito|me gustaría)\b",
    refuses=r"\bno\b",
    opines="honestamente|sinceramente|francamente",
    announces=r"nota|dato|recordatorio|conste|confirm",
    question=r"\?\s*$|^¿",
    hypothetical=r"^(?:si|supongamos|quizás?|tal vez)\b",
    pointing=r"^(?:eso|esto|esa|ese|esta|este|ellos|ellas|ella|él|aquí|ahí)\b(?! (?:año|mes|semana|proyecto))",
    follows=(
        ("decision", r"^(?:a partir|desde|en su lugar|solo|sólo|además)\b"),
        ("opinion", r"^(?!es solo|es sólo)\w"),
        ("commitment", r"^(?:actualmente|si no|el objetivo)\b"),
    ),
    absolute=r"\b(?:bajo ninguna circunstancia|nunca jamás|sin excepci\w+)\b",
    stressed=r"\b(?:siempre|nunca|jamás|importante|obligatorio|absolutamente|firmemente)\b",
    person=r"^(?:ella|él)(?= )",
    named=r"^([A-ZÁÉÍÓÚÑ][\w-]+)(?= [a-záéíóú])",
    unsure=r"\bno (?:estoy )?(?:del todo |muy )?segur[oa]\b|\bpodría ser\b|\bno (?:sé|recuerdo)\b|\bbuena (?:idea|pregunta)\b",
    personal=r"(?:yo|nosotr[oa]s|tú|usted\w*|mis?|tus?)\b",
    makes_up=r"^(?:escribe|cuenta|inventa)\b.{0,40}?\b(?:cuento|historia|poema|canción)\b",
    dictated=r"^[^:]{0,80}\b(?:escribe|escriba|pon|título|asunto|traduce|texto|frase)\b[^:.]{0,40}:\s?\S",
    binding=r"\b(?:antes|hasta|para el|en adelante|a partir de ahora|cada)\b|promet|comprom",
    until=" a ",
)
