"""What English speakers think, know and have lived through."""

from memctl.layers.cues.english.vocabulary import ASKS, AT_HAND, DURABLE, FAMILY, MEASURE, MOTION, THEN
from memctl.layers.cues.shape import Cue

CLAIMS = (
    # -- opinions
    Cue(
        "opinion",
        r"^(?:my (?:take|view|opinion|sense|hunch|impression|read|guess|thinking|position|feeling)) (?:on|of|about|regarding) (?P<topic>[^:]{3,70}?)(?: is(?: that)?|:)\s+(?:it's |it is |that it's |they're )",
        "{topic}: {rest}",
    ),
    Cue(
        "opinion",
        r"^(?:my (?:take|view|opinion|sense|hunch|impression|guess|position|feeling|read|reading|gut feeling|bet|suspicion)|in my (?:opinion|view|experience|mind)|imo|imho|personally)(?: is(?: that)?|,|:)\s*(?:i (?:think|believe|feel|find)(?: that)? )?",
        "{rest}",
    ),
    Cue(
        "opinion",
        r"^(?:i|we)(?: still| really| honestly| strongly| genuinely| personally|'ve come to| do)* (?:think(?: that)?|believe(?: that)?|feel (?:that|like)|suspect(?: that)?|reckon(?: that)?|find that|consider) (?!in\b|of\b|about\b|so\b|it\b|it's|that\b|that's|this\b|there's|there\b|you|we\b|i\b|i'm|i'll|i'd|they\b|they're|the answer|he\b|she\b|your\b|these\b|those\b|(?:option |approach )?[0-9]\b)(?=.{25,})",
        "{rest}",
    ),
    Cue(
        "opinion",
        r"^(?:i'm|i am|we're|we are) (?:very |quite |a bit |deeply |still |increasingly |pretty )?(?:skeptical|sceptical|convinced|not convinced|unconvinced|doubtful|bullish|bearish|optimistic|pessimistic|wary|worried|excited|concerned) (?:of|about|that|on|by) (?!it\b|that\b|this\b|you)",
    ),
    Cue(
        "opinion",
        r"^i (?:don't|do not) (?:buy|believe|accept|agree with) (?:the (?:argument|idea|claim|notion|premise) )?(?:that )?(?!it\b|that\b|this\b|you\b|so\b)(?=.{25,})",
    ),
    Cue(
        "opinion",
        r"^(?:i'd|i would) (?:argue|say|bet|claim)(?: that)? (?!it\b|that\b|this\b|you)",
        "{rest}",
    ),
    Cue(
        "opinion",
        r"^(?:pretty sure|fairly sure|quite sure|convinced|not convinced|unconvinced|skeptical|sceptical|i doubt|it seems to me|seems to me|feels to me)(?: that| of| about| like)? (?!so\b|it\b|that\b|this\b|you\b)(?=.{20,})",
        "{rest}",
    ),
    Cue(
        "opinion",
        r"^(?!i\b|we\b|you\b).{16,200},? (?:in my (?:opinion|view|book)|imo|imho|if you ask me)[.!]?$",
    ),
    # -- facts
    Cue("fact", r"^(?:we|i) have until (?=.{3,40}\bto\b)", "Has until {rest}"),
    Cue(
        "fact",
        r"^(?:confirmed|measured|verified|learned|learnt|found out|double-checked|counted)(?: [^:]{2,60})?\s*:\s*",
        "{rest}",
    ),
    Cue(
        "fact",
        rf"^(?!it\b|that\b|this\b(?!\s(?:year|month|week|quarter|season|project))|there\b|here\b|they\b|if\b|when\b|you\b|your\b|what\b|i\b|we\b|he\b|she\b|each\b|in\b|a\b|an\b|the (?:{AT_HAND})\b)(?=[^.]{{0,140}}?\b(?:{DURABLE})\b)[a-z0-9][^,;]{{2,90}}? (?:is|are|says|will be|starts|ends|expires|runs|takes|goes|go|opens|closes|remains?|costs?|includes?)\b.{{1,120}}?{MEASURE}",
    ),
    Cue(
        "fact",
        rf"^(?=.{{3,160}}{MEASURE})(?!it\b|that\b|this\b(?!\s(?:year|month|week|quarter|season))|there\b|if\b|when\b|you\b|your\b|i\b|we\b|they\b|each\b|in\b|a\b|an\b)[a-z0-9][^,;.]{{2,90}}? (?:confirmed|measured|verified|documented|showed|shows|reported|reports) (?:that |at |to be )?\w+",
    ),
    Cue(
        "fact",
        r"^(?!it\b|that\b|this\b|there\b|you\b|i\b|we\b|if\b).{6,140}, (?:i|we)(?:'ve| have)? (?:just |already )?(?:checked|verified|confirmed|tested|measured|looked (?:it|that) up)\b",
        "{whole}",
        ("checked",),
    ),
    Cue(
        "fact",
        r"^(?:the|our|we|all|every)\b [^,;]{3,80} (?:is|are) (?:now |still )?(?:the (?:single source of truth|source of truth|canonical \w+|only \w+ (?:that|which|we)|default for|standard for)|deprecated|end[- ]of[- ]life|read-only|off[- ]limits|owned by|maintained by|responsible for)\b",
        "{whole}",
        ("convention",),
    ),
    Cue(
        "fact",
        rf"^(?:the|our|my|this (?:year|month|week|quarter|season)'s|(?!it\b|that\b|this\b|there\b|here\b|what\b)(?:[a-z][\w.-]+ ){{0,3}}?[a-z][\w.-]+'s)\b (?!(?:{AT_HAND})\b)(?:[\w.'/-]+ ){{1,6}}(?:is|are|has|have|draws?|takes?|needs?|costs?|weighs?|holds?|runs?|supports?|closes?|opens?|reads?|goes|go|expires?|lasts?|covers?|uses?|consumes?|seats?|contains?|measures?|starts?|ends?|ships?|allows?|limits?|charges?|pays?|rated|came (?:back|in|out)|comes? in|stands|sits|dropped|rose|reached|hit)\b [^.]{{0,60}}?(?:{MEASURE}|(?<![a-z0-9])\d[\d.,]* ?[a-z]{{2,}})",
    ),
    # -- events
    Cue(
        "event",
        rf"^(?=.{{0,240}}(?:{THEN}))(?!.{{0,240}}(?:{ASKS}))(?:{THEN})?,? ?(?:i|we|my (?:{FAMILY}))(?:'ve| have|'s| has)?(?: just| finally| also| recently| already)* (?:{MOTION})\b (?!this\b|the following|it\b|that\b|one\b|them\b|an error).{{4,}}",
    ),
    Cue(
        "event",
        rf"^(?!.{{0,240}}(?:{ASKS}))(?:i|we)(?:'ve| have) (?:just|recently|finally) (?:{MOTION}|been to|become|gotten) (?!this error|the following|an error|it\b).{{6,}}",
    ),
    Cue(
        "event",
        r"^(?:i'm|i am|we're|we are) (?:getting married|moving to|expecting|having a baby|flying to|traveling to|travelling to|going on (?:vacation|holiday|leave)|starting (?:a new|at|as)|leaving for)\b",
    ),
)
