"""What English speakers put right, decide and take upon themselves."""

from memctl.layers.cues.english.vocabulary import LASTING, VERBS, WHEN, WHO
from memctl.layers.cues.shape import Cue

PLANS = (
    # -- corrections: among the most valuable
    Cue(
        "correction",
        r"^(?:that's|that is|this is|it's|you're) (?:not (?:right|correct|true|what i (?:said|meant|asked for|wanted))|wrong|incorrect)\s*[,.;:-]+\s*(?:it's |it is )?(?=\w+ \w+ \w+)",
        "{rest}",
    ),
    Cue(
        "correction",
        r"^(?:i meant|what i (?:actually )?meant (?:is|was|are|were)|i was talking about)\s+(?!(?:to|for|in|on|at|by|with|from|as|about)\b)",
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
        r"^(?!i (?:just |only |really )?(?:(?:want|need) to|mean\w* (?:for|in|on|at|by|with|from|as|about))\b)"
        r"(?:we|i|it|you|the [\w-]+|[\w`]+) (?:want|need|should|only|just|mean|meant|is|are|has|have|must|don't|do not|doesn't)\b(?=(?: \S+){6,}).*",
        "{whole}",
        ("no",),
    ),
    Cue(
        "correction",
        r"^(?:at (?:most|least) |only |exactly |up to |make (?:it|that) |it's |it should be |it is )?\d[\d.,]* ?[a-z%]{2,}(?: [\w.%-]+){0,4},? (?:at (?:most|least)|max(?:imum)?|min(?:imum)?|or (?:less|fewer|more)|not \d|because|since|otherwise|the|we|it)\b.{6,}",
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
        rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={WHO}\b))?(?:{WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:decided|agreed|settled|resolved|landed|voted) (?:on|for|in favou?r of) ",
        "Decided on {rest}",
    ),
    Cue(
        "decision",
        rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={WHO}\b))?(?:{WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:chose|chosen|picked|opted for|elected) (?!to\b|that\b)",
        "Chose {rest}",
    ),
    Cue(
        "decision",
        rf"^(?:(?:after|following|at|in|during) [^,.]{{3,40}}?,? (?={WHO}\b))?(?:{WHO}(?:'ve| have|'d| had)? )?(?:just |finally |now |all )?(?:decided|agreed|settled|chose|chosen|opted|resolved|elected|voted|concluded)\b(?!\s+against)(?:\s*:\s*| that | to |\s)(?:(?:i'm|we're|i am|we are|we'll|i'll|we will|i will|we|i) (?:going to |gonna |will )?)?",
        "{rest}",
    ),
    Cue(
        "decision",
        rf"^(?:{WHO}(?:'ve| have)? )?(?:just |finally )?decided against ",
        "Decided against {rest}",
    ),
    Cue(
        "decision",
        r"^the (?:decision|plan|agreement|verdict|consensus|call) (?:is|was)(?: to| that we| that)? ",
        "{rest}",
    ),
    Cue(
        "decision",
        rf"^(?:{WHO}(?:'re| are|'m| am) )?(?:going|sticking|staying) with {LASTING}",
        "Going with {rest}",
    ),
    Cue(
        "decision",
        rf"^(?!i(?:'m| am) moving to\b)(?:{WHO}(?:'re| are|'m| am)(?: going to be)? )?(?:now |officially )?(?:switching|moving|migrating|converting|changing|standardi[sz]ing)(?: everything| entirely| over)? (?:from|to|away from|on)\b",
    ),
    Cue(
        "decision",
        rf"^(?:{WHO}(?:'re| are|'m| am) )?(?:now |officially )?(?:dropping|ditching|retiring|deprecating|sunsetting|adopting|replacing|shelving|cancell?ing|postponing|freezing) (?!the same\b|it\b|that\b|this\b)",
    ),
    Cue(
        "decision",
        r"^(?:i think |i guess )?(?:let's|we should|we'll|we will|i'll|i will) (?:just )?(?:go with|stick (?:with|to)|switch to|settle on|standardi[sz]e on|proceed with) (?!it\b|that\b|this\b)"
        rf"{LASTING}",
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
        rf"^(?:(?:i|we)(?:'ll| will|'m going to|'re going to| am going to| are going to| plan to| intend to) |will )(?=(?:\w+ly |also |then |just )?(?:{VERBS})\b.{{2,200}}?(?:{WHEN}))",
        "Will {rest}",
    ),
    Cue(
        "commitment",
        rf"^(?:i|we) (?:need to|have to|must|should|'ve got to) (?=(?:{VERBS})\b.{{2,160}}?\bby\s+(?:the\s+)?(?:end|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|january|february|march|april|may|june|july|august|september|october|november|december|\d))",
        "Needs to {rest}",
    ),
    Cue(
        "commitment",
        r"^(?:todo|action item|next step|follow[- ]up|commitment|promise)s?\s*(?:for \w+)?\s*:\s*",
        "{rest}",
    ),
)
