"""What English speakers prefer and who they are."""

from memctl.layers.cues.english.vocabulary import FAMILY, HABIT, PERSONS, WORK
from memctl.layers.cues.shape import Cue

_THAT = r"(?!(?:it|that|this|them|those|these|you|to (?:know|see|get)|have to|need to)\b)"
# Who may prefer something: behind an article or "my" only what names a person, else a name.
_SOMEBODY = (
    rf"(?:(?:the|an?|my|our|your|his|her|their|this|that) (?:[\w-]+ ){{0,2}}?(?:{PERSONS})"
    r"|(?!(?:the|an?|my|our|your|his|her|their|it|that|this|there|which|what|who|if|when|you|i|we|he|she|they|everyone|everybody|nobody|someone|each"
    r"|every|some|any|no|all|most|people)\b|\w+ing\b)[a-z][\w.'-]*(?: [\w.'-]+){0,2}?)"
)
_DONE = "prefer|like|love|enjoy|use|want|drink|eat|own|play|write in|read|watch|wear|follow|smoke"

PEOPLE = (
    # -- what is no longer so
    Cue(
        "identity",
        rf"^(?:i|we) (?:no longer|(?:do not|don't)(?=.{{2,80}} any ?(?:more|longer)\b)) (?:live|work|study) (?:in|at|for|as|with|on) {_THAT}\w+",
    ),
    Cue(
        "preference",
        rf"^(?:i|we) (?:really |just )?(?:no longer|(?:do not|don't)(?=.{{2,80}} any ?(?:more|longer)\b)) (?:really )?(?:{_DONE}) {_THAT}\w+",
    ),
    Cue(
        "preference",
        rf"^(?:i|we)(?:'ve| have)? (?:stopped|quit|given up|gave up) (?:using|drinking|eating|smoking|playing|wearing|writing in|watching|reading) {_THAT}\w+",
    ),
    # -- preferences
    Cue(
        "preference",
        r"^(?P<person>[a-z][\w.-]+(?: [a-z][\w.-]+)?) (?:told|said to|asked|reminded) me (?:that )?(?:she|he|they)(?:'d| would) rather ",
        "{person} would rather {rest}",
    ),
    Cue(
        "preference",
        r"^(?P<person>[a-z][\w.-]+(?: [a-z][\w.-]+)?) (?:told me|says|said|mentioned)(?: that)? (?:she|he|they) (?=(?:prefers?|likes?|loves?|hates?|wants?|dislikes?) )",
        "{person} {rest}",
    ),
    Cue(
        "preference",
        rf"^{_SOMEBODY} {HABIT}(?:prefers|preferred|would (?:much |far |really )?rather|doesn't (?:like|want|enjoy)|does not (?:like|want|enjoy)|never wants|dislikes|favou?rs|detests|can't stand)\b",
    ),
    Cue(
        "preference",
        rf"^(?!.{{0,30}}\b(?:love|like|enjoy) (?:all |how )?(?:the|your|those|these|to[.!]?$)(?!.{{2,80}}\b(?:better|more than|over|rather)\b))(?:i|we|our team|my team) {HABIT}(?:prefer|dislike|hate|love|like|enjoy|can't stand|cannot stand|detest|favou?r) (?!(?:it|this|that|these|those|them|your?|how|what|where|the (?:idea|way|result|new|first|second|third|one|approach|look))\b|to (?:get|know|see|have|return|exchange|change|cancel|proceed)\b)\w+",
    ),
    Cue(
        "preference",
        r"^(?:i|we)(?:'d| would)(?: much| really| always| usually| generally)? (?:rather|prefer)\b.{3,160}\b(?:than|over|instead of|in general|by default|always)\b",
    ),
    Cue("preference", r"^(?:i|we)(?:'d| would) only (?:want|ever want|use) "),
    Cue(
        "preference",
        r"^(?:i'm|i am|we're|we are) (?:not )?(?:a )?(?:big |huge |great |much of a )?fan of ",
    ),
    Cue(
        "preference",
        rf"^{_SOMEBODY} (?:strongly |really |always )?(?:likes|loves|hates|enjoys|wants|insists (?:on|that)|expects|appreciates|(?:has )?(?:asked|requested)(?: that| for| us to| me to)) (?!it\b|this\b|that\b|you\b|me\b)",
    ),
    Cue("preference", r"^[a-z][\w.-]+'s (?:favou?rite|preferred|go-to|usual) [a-z ]{2,40} (?:is|are)\b"),
    Cue(
        "preference",
        r"^my (?:preference|preferred [a-z ]{2,30}|go-to [a-z ]{2,30}|favou?rite [a-z ]{2,30}) (?:is|are)\b",
    ),
    # -- who the user is
    Cue(
        "identity",
        rf"^my (?:first |last |full |middle )?(?:{FAMILY})(?:'s name)?,? (?:is|are|'s|was|works|lives)\b (?!not\b|it\b|that\b|asking\b|very\b|so\b|really\b|super\b|excited\b|happy\b)",
    ),
    Cue(
        "identity",
        rf"^(?:you can |you may )?(?:use|take|write to|call|reach me (?:at|on|by)|contact me (?:at|on|by)) my (?P<topic>(?:[\w-]+ )?(?:{FAMILY})(?: (?:address|number|code))?),? which is ",
        "My {topic} is {rest}",
    ),
    Cue("identity", rf"^(?:i'm|i am|we're|we are) (?:an? |the )?(?:[\w-]+ ){{0,4}}?(?:{WORK})s?\b"),
    Cue(
        "identity",
        rf"^(?:i'm|i am) (?!sorry\b|tired\b|afraid\b|sure\b|not\b|done\b|back\b|ok\b|fine\b|happy\b|glad\b|new\b|here\b)[a-z][\w'-]+(?: [a-z][\w'-]+)?, (?:an? |the )?(?:[\w-]+ ){{0,4}}?(?:{WORK})s?\b",
    ),
    Cue(
        "identity",
        r"^(?:i'm|i am) (?:an? )?(?:strict |strictly |mostly |also |actually )*(?:vegetarian|vegan|pescatarian|teetotal|celiac|coeliac|deaf|blind|autistic|bilingual|left-handed|right-handed|colou?r-?blind|dyslexic|diabetic|lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|halal|kosher)\b(?! to\b)",
    ),
    Cue(
        "identity",
        r"^(?:i|we) (?:currently |mostly |mainly |usually )?(?:work|live|study|teach|volunteer|grew up|was born|were born|speak|run a|own a|maintain) (?:as|at|for|in|on|from|with|near)?\s?(?!it\b|this\b|that\b)\w+",
    ),
    Cue(
        "identity",
        r"^(?:i'm|i am) (?:originally |currently |also )?(?:from|based in|living in|allergic to|fluent in|colou?r-?blind|left-handed|dyslexic|married|single|divorced|pregnant|retired|lactose intolerant|diabetic|working on|working as|working at|learning|studying|training for)\b",
    ),
    Cue(
        "identity",
        r"^(?:i|we)(?:'ve| have) (?:got )?(?:an? |two |three |four |five |\d )(?:[\w-]+ ){0,3}?(?:dogs?|cats?|kids?|children|sons?|daughters?|sisters?|brothers?|degree|phd|mba|allergy|garden|house|apartment|car|boat|employees|team)\b",
    ),
    Cue(
        "identity",
        r"^(?:i|we)(?:'ve| have) been (?:\w+ing|an?) .{3,120}?\b(?:for (?:over |about |almost |more than )?(?:\d+|a|two|three|four|five|six|seven|eight|nine|ten|many|several)|since)\b",
    ),
    Cue(
        "identity",
        r"^(?:i|we) (?:usually|always|never|often|typically|normally|generally|mostly|rarely|sometimes) (?!think|feel|wonder|get (?:this|that|an error)|see (?:this|that)|seem)(?:\w+) .{6,}",
    ),
)
