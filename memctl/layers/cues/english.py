"""How people say it in English."""

from memctl.layers.cues.shape import Cue, Language

_WHO = r"(?:i|we)"
_VERBS = (
    "add|adopt|avoid|book|build|buy|change|check|circulate|clean|close|confirm|contact|coordinate|deliver|deploy|"
    "do|draft|drop|email|file|finali[sz]e|finish|fix|follow up|get|give|handle|have|hold|investigate|join|keep|"
    "launch|look into|mail|make|meet|migrate|move|note|notify|order|pay|phone|pick up|post|prepare|present|"
    "publish|push|put|reach out|redo|refactor|release|remove|replace|report|respect|respond|return|review|"
    "rewrite|run|re-run|rerun|schedule|see|send|set up|share|ship|sign|sort out|start|stick to|stop|submit|"
    "switch|take|talk to|test|try|update|use|visit|walk|work on|write"
)
_WHEN = (
    r"(?:by|before|on|until|no later than|this|next|end of|at the end of|within|starting|from)\s+(?:the\s+)?"
    r"(?:end\b|month|week|day|year|quarter|weekend|tomorrow|tonight|today|noon|midnight|morning|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|spring|summer|fall|autumn|winter|eod|eow|cob|q[1-4]|\d|then\b|close of)|"
    r"\btomorrow\b|\btonight\b|going forward|from now on|every (?:week|month|day|monday|friday)"
)
_HABIT = r"(?:always |usually |generally |normally |typically |strongly |really |much |still |definitely |just |also )*"
_FAMILY = (
    "wife|husband|partner|son|daughter|kids?|children|mom|mum|mother|dad|father|brother|sister|boss|manager|"
    "dog|cat|girlfriend|boyfriend|roommate|cofounder|co-founder|team|company|employer|name|birthday|email|"
    "e-mail|phone(?: number)?|address|zip(?: ?code)?|time ?zone|native language|mother tongue|pronouns|job|"
    "role|title|hometown|favou?rite [a-z ]{2,30}|username|user(?: id)?|github(?: handle)?|handle|nickname|"
    "background|degree|major|diet|budget"
)
_WORK = (
    "engineer|developer|designer|manager|student|teacher|nurse|doctor|writer|artist|musician|scientist|"
    "researcher|founder|consultant|analyst|architect|lawyer|accountant|freelancer|programmer|professor|"
    "administrator|admin|photographer|producer|editor|translator|pilot|chef|mechanic|intern|contractor|"
    "vegetarian|vegan|parent|beginner|native speaker|morning person|night owl|owner|maintainer|lead|cto|ceo"
)
_MOTION = (
    "went|moved|started|joined|left|quit|bought|sold|got|met|visited|finished|completed|launched|shipped|"
    "released|signed|adopted|attended|graduated|married|hired|fired|changed|switched|migrated|deployed|"
    "took|gave|had|saw|ran|won|lost|broke|passed|failed|flew|drove|traveled|travelled|celebrated|presented|"
    "published|submitted|received|booked|cancelled|canceled|began|made|painted|wrote|read|watched|tried|"
    "signed up|applied|interviewed|talked|spoke|learned|learnt|built|closed|opened|upgraded|volunteered"
)
_THEN = (
    r"yesterday|last (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)|(?:\d{1,3}|a|an|one|two|three|four|five|six|a few|a couple of) "
    r"(?:days?|weeks?|months?|years?) ago|this (?:morning|week|weekend|month|year|past \w+)|earlier today|"
    r"the other day|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|"
    r"may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?)\b|recently|"
    r"in (?:january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d)"
)
# Not what is chosen once, from what was just offered.
_LASTING = (
    r"(?!.{0,80}\bthen[.!]?$|[\"'§]|the (?:current|first|second|third|last|other|cheap\w+) |flight\b|cancel\w*\b|"
    r"(?:[\w-]+ ){0,2}option\b)"
)
_ASKS = r"\bi(?:'d| would) like\b|\bi (?:want|need)\b|\blooking to\b|\bcan you\b|\bcould you\b|\bhoping\b|\byou guys\b"
_MEASURE = (
    r"(?:[$€£]\s?\d|\d[\d,.]*\s?(?:%|°|percent\b|days?\b|weeks?\b|months?\b|years?\b|hours?\b|minutes?\b|people\b|"
    r"users?\b|seats?\b|gb\b|tb\b|kg\b|km\b|miles?\b|usd\b|eur\b|am\b|pm\b|k\b|m\b)|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:days|weeks|months|years|hours)|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}\b)"
)
_DURABLE = (
    "deadline|due date|budget|agreement|insurance|permit|guarantee|humidity|launch|release date|policy|contract|diligence|lease|warranty|quota|rate limit|"
    "retention|sla|headcount|price|rent|salary|fee|target|threshold|spec|specification|requirement|schedule|"
    "meeting|standup|stand-up|sprint|on-call|office hours|maintenance window|staging|production|server room|"
    "records?|interval|limit|capacity|owner|contact|version we (?:use|support)|license|licence|renewal|"
    "subscription|term|notice period|cutoff|cut-off|freeze|window|baseline|conference|exam|appointment|flight"
)

LANGUAGE = Language(
    name="english",
    openings=(
        r"(?:(?:ok(?:ay)?|alright|all right|right|so+|well|yeah|yep|yes|no|nope|and|but|also|oh|hey|hi there|hi|"
        r"hello(?: there)?|thanks|thank you|btw|by the way|honestly|frankly|to be (?:honest|fair|clear|precise)|tbh|"
        r"fwiw|for what it's worth|actually|basically|anyway|now|then|look|listen|of course|sure(?: thing)?|great|"
        r"cool|perfect|certainly|absolutely|good news|after (?:some|much|a lot of|long) [a-z ]{3,30}|"
        r"slight steering|one more thing|another thing|in the end|at the end of the day|first of all|finally)"
        r"(?:\s*[,.!:;]+\s*|\s+-+\s+|\s+(?=\w))|"
        r"(?:quick |just |small |important |side )?(?:fact|note|update|heads[- ]up|fyi|reminder|context|background|"
        r"info|status|confirmed|confirming|nb|important|for (?:the )?(?:record|file|context|reference|background)|"
        r"for your information|ps|p\.s\.)"
        r"(?: for (?:the|your) (?:file|files|record|records|log|team))?\s*[:,-]\s*(?:that\s+)?|"
        r"we (?:talked|discussed|spoke)(?: about)?(?: it| this)?(?: and|,)\s+)"
    ),
    cues=(
        # -- corrections: among the most valuable
        Cue(
            "correction",
            r"^(?:that's|that is|this is|it's|you're) (?:not (?:right|correct|true|what i (?:said|meant|asked for|wanted))|wrong|incorrect)\s*[,.;:-]+\s*(?:it's |it is )?(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "correction",
            r"^(?:i meant|what i (?:actually )?meant (?:is|was|are|were)|i was talking about)\s+(?!to\b)",
            "Meant: {rest}",
        ),
        Cue(
            "correction",
            r"^(?!it\b|that\b|this\b)[a-z`][^,;:]{2,60}? (?:is|are|was)(?:n't| not) (?:correct|right|true|accurate|valid)\s*[,;:.-]+\s*\w+",
        ),
        Cue(
            "correction",
            r"^(?!it\b|that\b|this\b|there\b)[a-z`][^,;:]{1,50} (?:is|are) [^,;:]{3,80}, not (?!just\b|only\b|merely\b|to mention)[^,;:]{3,80}$",
        ),
        Cue(
            "correction",
            r"^(?:we|i|it|you|the [\w-]+|[\w`]+) (?:want|need|should|only|just|mean|meant|is|are|has|have|must|don't|do not|doesn't)\b(?!.{0,40}\bhorrible|.{0,12}$)(?=(?: \S+){6,}).*",
            "{whole}",
            ("no",),
        ),
        # -- decisions
        Cue(
            "decision",
            r"^(?:i think )?(?:let's|please|we should|we'll|i'll|i will)? ?(?:just )?(?:go with|do|take|use|pick|choose|implement) (?P<choice>(?:option|approach|plan|variant|solution|proposal|suggestion) [a-z0-9]{1,3})\b",
            "{choice}",
            ("choice",),
        ),
        Cue(
            "decision",
            r"^(?:i think |i'd say |i say )(?P<choice>(?:option |approach |number |nr\.? ?|#)?[0-9a-d]) is (?:the )?(?:right|best|better|way to go|correct)\b",
            "{choice}",
            ("choice",),
        ),
        Cue(
            "decision",
            r"^(?P<choice>(?:option|approach|plan|variant|solution|proposal) [a-z0-9]{1,3})(?: it is| please| is (?:fine|good|better|the one))?[.!]?$",
            "{choice}",
            ("choice",),
        ),
        Cue(
            "decision",
            r"^(?:[a-z]+ ){0,2}?decision(?: made| taken| reached| log| record| note)?(?: (?:on|about|regarding|for) (?P<topic>[^:]{3,60}))?\s*:\s*",
            "{topic}: {rest}",
        ),
        Cue(
            "decision",
            rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={_WHO}\b))?(?:{_WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:decided|agreed|settled|resolved|landed|voted) (?:on|for|in favou?r of) ",
            "Decided on {rest}",
        ),
        Cue(
            "decision",
            rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={_WHO}\b))?(?:{_WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:chose|chosen|picked|opted for|elected) (?!to\b|that\b)",
            "Chose {rest}",
        ),
        Cue(
            "decision",
            rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={_WHO}\b))?(?:{_WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:decided|agreed|settled|chose|chosen|opted|resolved|elected|voted|concluded)\b(?!\s+against)(?:\s*:\s*| that | to |\s)(?:(?:i'm|we're|i am|we are|we'll|i'll|we will|i will|we|i) (?:going to |gonna |will )?)?",
            "{rest}",
        ),
        Cue(
            "decision",
            rf"^(?:{_WHO}(?:'ve| have)? )?(?:just |finally )?decided against ",
            "Decided against {rest}",
        ),
        Cue(
            "decision",
            r"^the (?:decision|plan|agreement|verdict|consensus|call) (?:is|was)(?: to| that we| that)? ",
            "{rest}",
        ),
        Cue(
            "decision",
            rf"^(?:{_WHO}(?:'re| are|'m| am) )?(?:going|sticking|staying) with {_LASTING}",
            "Going with {rest}",
        ),
        Cue(
            "decision",
            rf"^(?:{_WHO}(?:'re| are|'m| am)(?: going to be)? )?(?:now |officially )?(?:switching|moving|migrating|converting|changing|standardi[sz]ing)(?: everything| entirely| over)? (?:from|to|away from|on)\b",
        ),
        Cue(
            "decision",
            rf"^(?:{_WHO}(?:'re| are|'m| am) )?(?:now |officially )?(?:dropping|ditching|retiring|deprecating|sunsetting|adopting|replacing|shelving|cancell?ing|postponing|freezing) (?!the same\b|it\b|that\b|this\b)",
        ),
        Cue(
            "decision",
            r"^(?:i think |i guess )?(?:let's|we should|we'll|we will|i'll|i will) (?:just )?(?:go with|stick (?:with|to)|switch to|settle on|standardi[sz]e on|proceed with) (?!it\b|that\b|this\b)"
            rf"{_LASTING}",
            "Going with {rest}",
        ),
        Cue(
            "decision",
            r"^(?:i |we )?(?:won't be|will not be|will no longer be|am no longer|are no longer|no longer) \w+ing (?!it\b|that\b|this\b).{4,}",
        ),
        Cue(
            "decision",
            r"^(?:we're|we are|i'm|i am) not (?:going to |gonna )(?:renew|continue|keep|use|support|extend|hire|buy|sell|ship|migrate|switch|pay|publish|build|adopt|replace|offer|accept|attend|move)\b (?!it\b|that\b|this\b|them\b).{4,}",
        ),
        Cue("decision", r"^no more (?!than\b|info|input|questions?\b|help\b)\w+"),
        # -- commitments and tasks
        Cue(
            "commitment",
            r"^(?:i(?:'ve| have)? |i )?(?:just |also |already )?(?:promised|told|assured) (?P<person>(?:the |my |our )?[\w.-]+(?: [A-Z][\w-]+)?)(?: that)? (?:i'd|i would|i'll|i will|we'd|we would|we'll|to) ",
            "Will {rest}",
        ),
        Cue(
            "commitment",
            r"^(?:i(?:'ve| have)? |i |we(?:'ve| have)? )?(?:just |also )?(?:promised|pledged|vowed)(?: to| that i'd| that i'll| i'd| i'll)? ",
            "Will {rest}",
        ),
        Cue(
            "commitment",
            r"^(?:(?:i'm|i am|we're|we are|i've|i have|we've|we have|i|we)\s+)?(?:committing|committed) to (?=\w+ing)",
            "Committed to {rest}",
        ),
        Cue(
            "commitment",
            r"^(?:(?:i'm|i am|we're|we are|i've|i have|we've|we have|i|we)\s+)?(?:committing|committed) to ",
            "Will {rest}",
        ),
        Cue("commitment", r"^i owe (?P<person>[\w.-]+) "),
        Cue(
            "commitment",
            rf"^(?:(?:i|we)(?:'ll| will|'m going to|'re going to| am going to| are going to| plan to| intend to) |will )(?=(?:\w+ly |also |then |just )?(?:{_VERBS})\b.{{2,200}}?(?:{_WHEN}))",
            "Will {rest}",
        ),
        Cue(
            "commitment",
            rf"^(?:i|we) (?:need to|have to|must|should|'ve got to) (?=(?:{_VERBS})\b.{{2,160}}?\bby\s+(?:the\s+)?(?:end|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|january|february|march|april|may|june|july|august|september|october|november|december|\d))",
            "Needs to {rest}",
        ),
        Cue(
            "commitment",
            r"^(?:todo|action item|next step|follow[- ]up|commitment|promise)s?\s*(?:for \w+)?\s*:\s*",
            "{rest}",
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
            rf"^(?!it\b|that\b|this\b|there\b|which\b|what\b|if\b|you\b)[a-z][\w.'-]*(?: [\w.'-]+){{0,3}}? {_HABIT}(?:prefers|preferred|would (?:much |far |really )?rather|doesn't (?:like|want|enjoy)|does not (?:like|want|enjoy)|never wants|dislikes|favou?rs|detests|can't stand)\b",
        ),
        Cue(
            "preference",
            rf"^(?!.{{0,30}}\b(?:love|like|enjoy) (?:all |how )?(?:the|your|those|these|to[.!]?$)(?!.{{2,80}}\b(?:better|more than|over|rather)\b))(?:i|we|our team|my team) {_HABIT}(?:prefer|dislike|hate|love|like|enjoy|can't stand|cannot stand|detest|favou?r) (?!(?:it|this|that|these|those|them|your?|how|what|where|the (?:idea|way|result|new|first|second|third|one|approach|look))\b|to (?:get|know|see|have|return|exchange|change|cancel|proceed)\b)\w+",
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
            r"^(?!it\b|that\b|this\b|i\b|we\b|you\b|he\b|she\b|they\b|who\b|(?:the|a) (?:task|function|program|code|system|app|test|api|compiler|user)\b)[a-z][\w.-]+(?: [a-z][\w.-]+)? (?:strongly |really |always )?(?:likes|loves|hates|enjoys|wants|insists (?:on|that)|expects|appreciates|(?:has )?(?:asked|requested)(?: that| for| us to| me to)) (?!it\b|this\b|that\b|you\b|me\b)",
        ),
        Cue("preference", r"^[a-z][\w.-]+'s (?:favou?rite|preferred|go-to|usual) [a-z ]{2,40} (?:is|are)\b"),
        Cue(
            "preference",
            r"^my (?:preference|preferred [a-z ]{2,30}|go-to [a-z ]{2,30}|favou?rite [a-z ]{2,30}) (?:is|are)\b",
        ),
        # -- who the user is
        Cue(
            "identity",
            rf"^my (?:first |last |full |middle )?(?:{_FAMILY})(?:'s name)?,? (?:is|are|'s|was|works|lives)\b (?!not\b|it\b|that\b|asking\b|very\b|so\b|really\b|super\b|excited\b|happy\b)",
        ),
        Cue("identity", rf"^(?:you can use )my (?:{_FAMILY}),? which is ", "My email is {rest}"),
        Cue("identity", rf"^(?:i'm|i am|we're|we are) (?:an? |the )?(?:[\w-]+ ){{0,4}}?(?:{_WORK})s?\b"),
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
        # -- standing instructions
        Cue(
            "instruction",
            r"^(?:please |and |just |so |then |but )?(?:you (?:should|must|need to|have to|can) |remember to |make sure (?:to|you) |be sure to |try to )?(?:always|never)\b (?!mind\b|ever mind\b|been\b|had\b|here\b|up\b|good\b|nice\b|great\b|an?\b|the\b|there\b|saw\b|seen\b|knew\b|thought\b|happy\b|glad\b|fun\b|so\b|in\b|on\b|too\b|more\b|said\b|heard\b|felt\b|went\b|got\b|did\b|was\b|were\b|again\b|\w+ed\b|\w+ing\b)\w+ \w+",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:from now on|going forward|from here on|in (?:the )?future|for future reference|next time|as a (?:general )?rule|by default|at all times|under no circumstances|in general)\b[, ]*(?!i('ll| will)\b)",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:whenever|every time|each time|any time|anytime|before (?:every|each|any|you|committing|pushing|merging)|after (?:every|each|any)|for (?:every|each|any|all))\b (?!i\b|we\b|[^,]{2,60}, (?:please )?(?:plot|compute|print|show|add|list|draw|create|write|generate|output|calculate)\b).{8,}",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:don't|do not|dont|never|avoid|stop)\b (?!worry|mind|think|know|forget|see|understand).{3,160}?\b(?:ever|again|any ?more|without (?:asking|my|checking|telling|permission|approval|tests?|running)|unless|until i|under any|in (?:the )?(?:commits?|commit messages?|code|docs|tests|comments|prs?|production)|on (?:main|master|production))\b",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:stop|quit|avoid) (?!it\b|that\b|this\b|there\b|here\b|talking|being|now)\w+ing .{3,}",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:let's )?keep (?:each(?! other)|every|all|your|commits?|the (?:answers?|replies|responses|commits?|code|tests|docs|comments|messages|summary|summaries)|it|them|things|responses|answers|replies) (?!in mind|going|that\b|up\b|it up|at it|coming|me (?:posted|updated)|.{0,20}\bgoing\b).{4,}",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:only |just )?(?:use|prefer|answer|reply|respond|talk to me|speak|stick to|follow)\b(?! of\b| according)[^.:]{2,120}?(?:\b(?:instead of|rather than|for (?:all|every|new)|in all|everywhere|by default|at all times|whenever|always|in (?:english|german|french|chinese|spanish|japanese|korean))\b|, not\b)",
        ),
        Cue("instruction", r"^(?:please )?(?:call|address) me (?!back|when|if|later|a\b)\w+"),
        Cue(
            "instruction",
            r"^(?:please |and )?no (?:emojis?|comments|micro-?commit\w*|abbreviations|jargon|small talk|filler|markdown|tables|semicolons|force[- ]push\w*|mocks?|new dependencies|external \w+|apologies|preamble)\b",
        ),
        Cue(
            "instruction",
            r"^(?:please )?(?:ask|check with|confirm with|consult|tell|notify|warn) (?:me|us)(?: first)? (?:before|first|whenever|every time|if you (?:are|'re) (?:unsure|not sure))\b",
        ),
        Cue(
            "instruction",
            r"^(?:we|our team|this (?:project|repo|codebase|team)) (?:always|never|only|don't|do not|require|requires|must|use|uses|follow|follows|run|runs|write|writes|deploy|deploys|target|targets|support|supports) (?!it\b|that\b|this\b|go\b|get\b|do\b|often\b|have\b|need\b|want\b|know\b|see\b|think\b|really\b|support\b|care\b|currently\b).{4,120}?\b(?:for|in|with|not|instead|only|before|after|every|each|never|always|via|through|on|style|conventions?|guidelines?|without)\b",
            "{whole}",
            ("convention",),
        ),
        Cue(
            "instruction",
            r"^(?:the |our )(?:new |current |standing |official )?(?:rule|convention|standard|policy|guideline|house style|workflow)s? (?:here )?(?:is|are)(?: that| to)?\b",
            "{whole}",
            ("convention",),
        ),
        Cue(
            "instruction",
            r"^let's not (?!do (?:it|that)|worry|forget|go|get|use (?:it|that|this))(?:leave|commit|merge|mix|add|put|break|change|push|ship|skip|mock|rely|depend|duplicate|hard-?code|use)\b .{6,}",
        ),
        Cue("instruction", r"^.{4,140}\b(?:should|must) (?:always|never|only)\b.{4,}"),
        # -- how things work out
        Cue(
            "method",
            r"^(?:ok |so )?the (?:real |actual )?(?:fix|solution|trick|workaround|root cause|culprit|answer|right way|correct way|proper way) (?:is|was|turned out to be|here (?:is|was))\b (?!to (?:see|find)|not clear|unclear|unknown).{6,}",
        ),
        Cue(
            "method",
            r"^(?!it\b|that\b|this\b)(?:i |we )?(?:fixed|solved|resolved|worked around) (?:it|this|that|the [\w -]{2,40}) by \w+ing .{4,}",
        ),
        Cue("method", r"^(?:it |that )?turns out(?: that)?,? (?!it\b|i was|you were)", "{rest}"),
        Cue(
            "dead_end",
            r"^(?:i|we)(?:'ve| have)?(?: already)? (?:tried|attempted|tested|looked at) .{4,140}?\b(?:but|and|,) ?(?:it|that|this|they|which)? ?(?:didn't|doesn't|did not|does not|failed|fails|broke|breaks|made (?:it|things) worse|was (?:too|not))\b",
        ),
        Cue(
            "dead_end",
            r"^(?!it\b|that\b|this\b)[a-z][^,.]{3,60} (?:turned out to be a dead end|is a dead end|was a dead end|is not an option|isn't an option|is off the table|won't scale)\b",
        ),
        Cue(
            "artifact",
            r"^(?:the|our|my) (?!error|bug|test|failing|file|code|problem|issue)[\w' -]{3,50} (?:lives?|is|are|can be found|is (?:stored|documented|hosted|located|kept)|sits?) (?:at|in|under|on|here:?) (?=\S*(?:https?://|[\w.-]+/[\w./-]+|\S+\.(?:md|pdf|ya?ml|json|docx?|xlsx?|csv)\b))",
        ),
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
            rf"^(?!it\b|that\b|this\b(?!\s(?:year|month|week|quarter|season|project))|there\b|here\b|they\b|if\b|when\b|you\b|your\b|what\b|i\b|we\b|he\b|she\b|each\b|in\b|a\b|an\b|the (?:error|test|tests|build|line|file|code|function|following|answer|above|output|result|problem|issue|sum|number)\b)(?=[^.]{{0,140}}?\b(?:{_DURABLE})\b)[a-z0-9][^,;]{{2,90}}? (?:is|are|says|will be|starts|ends|expires|runs|takes|goes|go|opens|closes|remains?|costs?|includes?)\b.{{1,120}}?{_MEASURE}",
        ),
        Cue(
            "fact",
            rf"^(?=.{{3,160}}{_MEASURE})(?!it\b|that\b|this\b(?!\s(?:year|month|week|quarter|season))|there\b|if\b|when\b|you\b|your\b|i\b|we\b|they\b|each\b|in\b|a\b|an\b)[a-z0-9][^,;.]{{2,90}}? (?:confirmed|measured|verified|documented|showed|shows|reported|reports) (?:that |at |to be )?\w+",
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
            rf"^(?:the|our|my|[a-z][\w.-]+'s)\b (?!error|test|tests|build|file|code|function|reservation|confirmation|order|booking|tracking|above|following|same|answer|output|result|problem|issue|sum|number|total|app crash)(?:[\w.'/-]+ ){{1,6}}(?:is|are|has|have|draws?|takes?|needs?|costs?|weighs?|holds?|runs?|supports?|closes?|opens?|reads?|goes|go|expires?|lasts?|covers?|uses?|consumes?|seats?|contains?|measures?|starts?|ends?|ships?|allows?|limits?|charges?|pays?|rated|came (?:back|in|out)|comes? in|stands|sits|dropped|rose|reached|hit)\b [^.]{{0,60}}?(?:{_MEASURE}|\d[\d.,]* ?[a-z]{{2,}})",
        ),
        # -- events
        Cue(
            "event",
            rf"^(?=.{{0,240}}(?:{_THEN}))(?!.{{0,240}}(?:{_ASKS}))(?:{_THEN})?,? ?(?:i|we|my (?:{_FAMILY}))(?:'ve| have|'s| has)?(?: just| finally| also| recently| already)* (?:{_MOTION})\b (?!this\b|the following|it\b|that\b|one\b|them\b|an error).{{4,}}",
        ),
        Cue(
            "event",
            rf"^(?!.{{0,240}}(?:{_ASKS}))(?:i|we)(?:'ve| have) (?:just|recently|finally) (?:{_MOTION}|been to|become|gotten) (?!this error|the following|an error|it\b).{{6,}}",
        ),
        Cue(
            "event",
            r"^(?:i'm|i am|we're|we are) (?:getting married|moving to|expecting|having a baby|flying to|traveling to|travelling to|going on (?:vacation|holiday|leave)|starting (?:a new|at|as)|leaving for|running (?:a|the|my) [\w ]{2,30}(?:marathon|race))\b",
        ),
    ),
    request=(
        r"^(?:please |pls )?(?:can|could|would|will) (?:you|we|i)\b|^(?:please|pls|kindly)\b|^(?:help|tell|show|give|write|create|make|fix|"
        r"run|add|find|explain|generate|list|describe|translate|summari[sz]e|implement|update|change|remove|check|"
        r"read|open|build|refactor|review|install|test|debug|compare|design|draft|suggest|provide|convert|rewrite|"
        r"edit|classify|identify|name|calculate|compute|solve|analy[sz]e|consider|imagine|let me know)\b|"
        r"^i(?:'d| would) (?:like|love|appreciate)\b|^i (?:want|need)\b(?! to \w+.{2,120}\bby\b)|^i(?:'m| am) (?:looking|trying|hoping|calling|having trouble)\b|"
        r"^i have .{2,80}\b(?:and|that|which) i(?:'d)? (?:want|need|like|would like) to\b"
    ),
    refuses=r"\b(?:no|nope|wrong|not quite|slight steering)\b",
    vague=r"\b(?:of|on|to|with|about|at|for) (?:this|it|that|one|them|these|those)\b(?! (?:\w+ly )?[a-z]+)|\b(?:seeing|having|watching|doing|using|making|dreaming of|working on) (?:them|it|this|that|one)\b",
    opines=r"\b(?:honestly|frankly|to be honest|tbh)\b",
    announces=r"\b(?:fact|note|fyi|reminder|context|background|confirmed|record|file|reference|important|your information|nb|heads[- ]up)\b",
    question=r"\?\s*$|^(?:what|why|how|who|where|when|which|whose|is|are|do|does|did|should|shall|was|were|has|have you|can|could|would you)\b.{0,300}\?",
    hypothetical=r"^(?:if|suppose|assuming|assume|imagine|let's say|say|given|considering|what if|maybe|perhaps|i wonder|i'm wondering|wondering|not sure|i guess|might|could be)\b",
    pointing=r"^(?:it|that|this|these|those|they|them|there|here|such|one|both|either|neither|same|which|who|he|she)(?:'s|'re|'ll|'d)?\b(?!\s(?:year|month|week|quarter|season|morning|evening|project|repo|codebase|team|company|fall|spring|summer|winter|autumn)\b)",
    follows=(
        (
            "decision",
            r"^(?:switching|moving|re-?running|starting|keeping|dropping|using|adopting|replacing|will|no more|only|and|plus|also|section|effective|applies|then|the rest|everything else|instead of|rather than)\b|^[\w'’. -]{3,30} only (?:on|for|in|when)\b",
        ),
        (
            "commitment",
            r"^(?:currently|right now|now|today|target|goal|deadline|due|at the moment|otherwise|if (?:i|we) (?:can't|cannot|don't|fail)|or else|failing that|until then|starting)\b",
        ),
        ("preference", r"^(?:because|since|mostly because|mainly because|not)\b"),
        ("fact", r"^(?:no exceptions|no extensions|hard deadline|strict deadline|late)\b"),
        (
            "opinion",
            r"^(?!that's just|just my|i could be wrong|i may be|i might be|worth|but that's|not sure|we'll see|anyway|thoughts|what do|let me|can you|could you|i'd|i'll|we should|so let's)(?:\w+)",
        ),
    ),
    absolute=r"\bnever ever\b|\bunder no circumstances\b|\babsolutely (?:never|no|not|always)\b|\bmust never\b|\bno exceptions?\b|\bat no point\b|\bon no account\b|\balways,? always\b",
    stressed=r"\b(?:always|never|must|critical|crucial|important|strongly|hard deadline|mandatory|required|absolutely|really|essential)\b|!{2,}",
    first_person=(
        (r"^i'm\b", "User is"),
        (r"^i am\b", "User is"),
        (r"^i've\b", "User has"),
        (r"^i have\b", "User has"),
        (r"^i'd\b", "User would"),
        (r"^i'll\b", "User will"),
        (r"^my\b", "User's"),
        (r"^we're\b", "User's team is"),
        (
            r"^i (?P<adverb>(?:[a-z]+ly|always|much|still|just|also|never|often|sometimes) )*(?P<verb>[a-z]+)\b",
            "User {adverb}{verb}",
        ),
    ),
    person=r"^(?:she|he)(?='s| |'d|'ll)",
    named=r"^([A-Z][\w-]+(?: [A-Z][\w-]+)?)(?='s\b| [a-z])",
)
