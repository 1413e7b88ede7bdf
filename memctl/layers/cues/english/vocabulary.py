"""Groups of English words that several cues share, as alternatives of a pattern."""

WHO = r"(?:i|we)"
VERBS = (
    "add|adopt|avoid|book|build|buy|change|check|circulate|clean|close|confirm|contact|coordinate|deliver|deploy|"
    "do|draft|drop|email|file|freeze|finali[sz]e|finish|fix|follow up|get|give|handle|have|hold|investigate|join|keep|"
    "launch|look into|mail|make|meet|migrate|move|note|notify|order|pay|phone|pick up|post|prepare|present|"
    "publish|push|put|reach out|redo|refactor|release|remove|replace|report|respect|respond|return|review|"
    "rewrite|run|re-run|rerun|schedule|see|send|set up|share|ship|sign|sort out|start|stick to|stop|submit|"
    "switch|take|talk to|test|try|update|use|visit|walk|work on|write"
)
WHEN = (
    r"(?:by|before|on|until|no later than|this|next|end of|at the end of|within|starting|from)\s+(?:the\s+)?"
    r"(?:end\b|month|week|day|year|quarter|weekend|tomorrow|tonight|today|noon|midnight|morning|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|spring|summer|fall|autumn|winter|eod|eow|cob|q[1-4]|\d|then\b|close of)|"
    r"\btomorrow\b|\btonight\b|going forward|from now on|every (?:week|month|day|monday|friday)"
)
HABIT = r"(?:always |usually |generally |normally |typically |strongly |really |much |still |definitely |just |also )*"
FAMILY = (
    "wife|husband|partner|son|daughter|kids?|children|mom|mum|mother|dad|father|brother|sister|boss|manager|"
    "dog|cat|girlfriend|boyfriend|roommate|cofounder|co-founder|team|company|employer|name|birthday|email|"
    "e-mail|phone(?: number)?|address|zip(?: ?code)?|time ?zone|native language|mother tongue|pronouns|job|"
    "role|title|hometown|favou?rite [a-z ]{2,30}|username|user(?: id)?|github(?: handle)?|handle|nickname|"
    "background|degree|major|diet|budget"
)
# Words for persons, besides kin and trades, who want things done in their way.
_OTHERS = (
    "client|customer|colleague|coworker|co-worker|teammate|friend|neighbou?r|landlord|landlady|tenant|reviewer|"
    "supervisor|advis[eo]r|mentor|coach|investor|board|committee|council|department|office|crew|staff|family|guest|"
    "patient|reader|user|stakeholder|audience|group|person|man|woman|guy|lady|sponsor|publisher|supplier|vendor"
)
WORK = (
    "engineer|developer|designer|manager|student|teacher|nurse|doctor|writer|artist|musician|scientist|"
    "researcher|founder|consultant|analyst|architect|lawyer|accountant|freelancer|programmer|professor|"
    "administrator|admin|photographer|producer|editor|translator|pilot|chef|mechanic|intern|contractor|"
    "vegetarian|vegan|parent|beginner|native speaker|morning person|night owl|owner|maintainer|lead|cto|ceo"
)
PERSONS = rf"(?:{FAMILY}|{WORK}|{_OTHERS})s?\b"
MOTION = (
    "went|moved|started|joined|left|quit|bought|sold|got|met|visited|finished|completed|launched|shipped|"
    "released|signed|adopted|attended|graduated|married|hired|fired|changed|switched|migrated|deployed|"
    "took|gave|had|saw|ran|won|lost|broke|passed|failed|flew|drove|traveled|travelled|celebrated|presented|"
    "published|submitted|received|booked|cancelled|canceled|began|made|painted|wrote|read|watched|tried|"
    "signed up|applied|interviewed|talked|spoke|learned|learnt|built|closed|opened|upgraded|volunteered"
)
THEN = (
    r"yesterday|last (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)|(?:\d{1,3}|a|an|one|two|three|four|five|six|a few|a couple of) "
    r"(?:days?|weeks?|months?|years?) ago|this (?:morning|week|weekend|month|year|past \w+)|earlier today|"
    r"the other day|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|"
    r"may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?)\b|recently|"
    r"in (?:january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d)"
)
# What the work of the moment is about: a statement on it is no lasting fact.
AT_HAND = "errors?|tests?|builds?|lines?|files?|code|functions?|following|answers?|above|same|outputs?|results?|problems?|issues?|sums?|numbers?|total"
# Not what is chosen once, from what was just offered.
LASTING = (
    r"(?!.{0,80}\b(?:then|one|option)[.!]?$|.{0,80}\bat (?:noon|midnight|\d{1,2}(?::\d\d| ?[ap]m\b))|[\"'§]|the (?:current|first|second|third|last|other|\w+est|most \w+|least \w+)\b|"
    r"(?:[\w-]+ ){0,2}option\b)"
)
ASKS = r"\bi(?:'d| would) like\b|\bi (?:want|need)\b|\blooking to\b|\bcan you\b|\bcould you\b|\bhoping\b"
MEASURE = (
    r"(?:[$€£]\s?\d|\d[\d,.]*\s?(?:%|°|percent\b|days?\b|weeks?\b|months?\b|years?\b|hours?\b|minutes?\b|people\b|"
    r"users?\b|seats?\b|gb\b|tb\b|kg\b|km\b|miles?\b|usd\b|eur\b|am\b|pm\b|k\b|m\b)|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:days|weeks|months|years|hours)|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}\b)"
)
DURABLE = (
    "deadline|due date|budget|agreement|insurance|guarantee|launch|release date|policy|contract|lease|warranty|quota|rate limit|"
    "retention|sla|headcount|price|rent|salary|fee|target|threshold|spec|specification|requirement|schedule|"
    "meeting|standup|stand-up|sprint|on-call|office hours|maintenance window|staging|production|"
    "interval|limit|capacity|owner|contact|version we (?:use|support)|license|licence|renewal|"
    "subscription|term|notice period|cutoff|cut-off|freeze|window|baseline|conference|exam|appointment|flight"
)
