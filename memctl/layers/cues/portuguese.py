"""How people say it in Portuguese."""

from memctl.layers.cues.shape import Cue, Language, measure

# What the work of the moment is about: a statement on it is no lasting fact.
_AT_HAND = r"erros?|testes?|linhas?|arquivos?|ficheiros?|código|funç\w+|saída|resultados?|problema|resposta|soma|número|build"
_MEASURE = measure(
    "portuguese",
    "graus?|por cento|dias?|semanas?|mês|meses|anos?|horas?|minutos?|euros?|reais|pessoas?|lugares|vezes|litros?|metros?",
)

LANGUAGE = Language(
    name="portuguese",
    openings=r"(?:(?:ok|sim|não|então|e|mas|aliás|honestamente|sinceramente|francamente|na verdade|nota|lembrete|para constar|confirmado|acabei de confirmar)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction", r"^(?:isso não está (?:certo|correto)|está errado)[,.:]\s*(?=\w+ \w+ \w+)", "{rest}"
        ),
        Cue(
            "decision",
            r"^(?:(?:depois de|após) [^,.]{3,40},? )?(?:eu |nós )?(?:decidi|decidimos|concordamos|optamos|optei)(?: que (?:vamos )?| em | por | )(?=\w)",
            "{rest}",
        ),
        Cue("decision", r"^decisão(?: \w+){0,3}\s?:\s*", "{rest}"),
        Cue(
            "decision",
            r"^(?:eu |nós )?(?:decidi|decidimos|concordamos|escolhemos|escolhi|optamos|optei|acordamos)\b.{4,}|^(?:vamos mudar|mudamos|passamos|adotamos|chega de|sem mais)\b.{4,}",
        ),
        # for good
        Cue(
            "commitment",
            r"^(?=.{0,100}\b(?:de agora em diante|daqui em diante|a partir de agora|doravante)\b)(?:(?:de agora|daqui) em diante,? |doravante,? )?(?:eu |nós )?(?:não )?(?:vou|vamos)\b.{8,}",
            "{whole}",
        ),
        Cue(
            "commitment",
            r"^(?:eu |nós )?(?:prometi|prometemos|comprometi|me comprometo|estou me comprometendo)\b.{4,}|^(?:vou|vamos) .{4,}\b(?:até|antes|amanhã|segunda|terça|quarta|quinta|sexta|fim d)\w*",
        ),
        Cue(
            "preference",
            r"^(?!ele\b|ela\b|eu\b|isso\b)(?:a |o )?(?:dona |senhor |senhora |seu )?[a-záéíóúâêôãõç][\w-]*(?: [\w-]+)? (?:quer|deseja|pede|insiste em) .{3,120}\b(?:em vez de|ao invés de|sempre|só|apenas|somente)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!é\b|isso\b)(?:eu )?(?:prefiro|gosto de|adoro|odeio|detesto)\b.{3,}|^[a-záéíóúâêôãõç][\w-]*(?: [\w-]+)? (?:prefere\w*|gosta de|adora|odeia)\b.{3,}",
        ),
        Cue(
            "identity",
            r"^(?:meu nome é|me chamo|moro em|eu moro|trabalho (?:como|na|no|em)|(?:eu )?sou (?:de|um|uma|engenheir\w+|desenvolvedor\w*|estudante|alérgic\w+)|(?:meu|minha) (?:esposa|marido|filha|filho|cachorro|gato|aniversário|endereço) )",
        ),
        Cue(
            "instruction",
            r"^(?:por favor,? )?(?:sempre|nunca|jamais|a partir de agora|de agora em diante|no futuro|por padrão)\b.{4,}|^.{2,80}\b(?:sempre|nunca)\b.{3,}$|^responda.{0,30}em (?:português|inglês)",
        ),
        Cue(
            "opinion",
            r"^(?:(?:eu )?(?:acho|acredito|penso|considero) que |(?:na minha opinião|a meu ver|para mim),? )(?=.{20,})",
            "{rest}",
        ),
        Cue(
            "opinion",
            r"^(?:(?:eu )?(?:acho|acredito|penso|considero))\b.{20,}|^(?:na minha opinião|minha opinião|sou cétic\w+|estou cétic\w+|estou convencid\w+)\b.{10,}",
        ),
        # what is ours, or has a name or an article, and is measured
        Cue(
            "fact",
            rf"^(?:o|a|os|as|noss[oa]s?|minhas?|meus?)(?:(?<=')| )(?!(?:{_AT_HAND})(?!\w))[^,;?!]{{2,90}}? (?:é|são|será|está|tem|têm|dura|duram|custa|custam|começa|começam|terminam?|vence|vencem|indica|diz|remontam?|abrem?|fecham?|pesa|cabe|vale|expira)(?!\w)[^?!]{{0,60}}?{_MEASURE}",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:ontem|anteontem|na semana passada|semana passada|mês passado|ano passado|há \w+ (?:dias?|semanas?|meses|anos?)|esta manhã)\b).{0,40}\b(?:fui|fomos|comprei|comecei|mudei|fiz|tive|\w+amos|\w+emos|\w+ei)\b.{4,}",
        ),
    ),
    request=r"^(?:por favor|você pode|pode|poderia|ajude|mostre|dê|escreva|crie|adicione|encontre|explique|traduza|quero|gostaria|preciso)\b",
    refuses=r"não",
    opines="honestamente|sinceramente|francamente",
    announces=r"nota|lembrete|constar|confirm",
    question=r"\?\s*$",
    hypothetical=r"^(?:se|suponha|talvez)\b",
    pointing=r"^(?:isso|isto|essa|esse|esta|este|eles|elas|ela|ele|aqui|ali)\b(?! (?:ano|mês|semana|projeto))",
    follows=(
        ("decision", r"^(?:a partir|desde|em vez disso|só|apenas|além disso)\b"),
        ("opinion", r"^(?!é só|é apenas)\w"),
        ("commitment", r"^(?:atualmente|senão|caso contrário|a meta)\b"),
    ),
    absolute=r"\b(?:em hipótese alguma|sob nenhuma circunstância|nunca jamais|sem exceç\w+)\b",
    stressed=r"\b(?:sempre|nunca|jamais|importante|obrigatório|absolutamente|fortemente)\b",
    person=r"^(?:ela|ele)(?= )",
    named=r"^([A-ZÁÉÍÓÚÂÊÔÃÕÇ][\w-]+)(?= [a-záéíóú])",
    unsure=r"\bnão (?:estou |tenho )?(?:bem |muito )?(?:certeza|cert[oa])\b|\bpoderia ser\b|\bnão (?:sei|lembro)\b|\bboa (?:ideia|pergunta)\b",
    personal=r"(?:eu|nós|você\w*|tu|meus?|minhas?|seus?|suas?)\b",
    makes_up=r"^(?:escreva|conte|invente)\b.{0,40}?\b(?:conto|história|poema|canção)\b",
    dictated=r"^[^:]{0,80}\b(?:escreva|escreve|título|assunto|traduza|texto|frase)\b[^:.]{0,40}:\s?\S",
    binding=r"\b(?:antes|até|em diante|a partir de agora|doravante|cada)\b|promet|comprom",
    until=" a ",
)
