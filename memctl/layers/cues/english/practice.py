"""How English speakers want things done, what worked, what did not, and where things are."""

from memctl.layers.cues.shape import Cue

# What is said for encouragement orders nothing: a verb of feeling, or one with nothing behind it to work on.
_CHEER = (
    r"(?!(?:feel|hope|dream|fear|doubt|believe|love|worry|mind|regret|surrender|underestimate|settle|give (?:up|in)|back down)\b"
    r"|\w+ (?:back|up|down|in|out|on|off|away|again|never|\w+ing)?[.!]*$|.{0,60}\byourself\b[.!]*$|know\b)"
)
# A verb in -s tells what happens: "always fails with".
_TELLS = r"(?!(?!focus\b|bias\b|alias\b)\w*[^s\W]s\b)"

PRACTICE = (
    # -- standing instructions
    Cue(
        "instruction",
        r"^(?:please |and |just |so |then |but )?(?:you (?:should|must|need to|have to|can) |remember to |make sure (?:to|you) |be sure to |try to )?(?:always|never)\b (?!mind\b|ever mind\b|been\b|had\b|here\b|up\b|good\b|nice\b|great\b|an?\b|the\b|there\b|saw\b|seen\b|knew\b|thought\b|happy\b|glad\b|fun\b|so\b|in\b|on\b|too\b|more\b|said\b|heard\b|felt\b|went\b|got\b|did\b|was\b|were\b|again\b|\w+ed\b|\w+ing\b)"
        + _CHEER
        + _TELLS
        + r"\w+ \w+",
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:from now on|going forward|from here on|in (?:the )?future|for future reference|next time|as a (?:general )?rule|by default|at all times|under no circumstances|in general)\b[, ]*(?!i('ll| will)\b)",
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:whenever|every time|each time|any time|anytime|before (?:every|each|any|you|committing|pushing|merging)|after (?:every|each|any))\b (?!i\b|we\b).{8,}",
    ),
    Cue(
        "instruction",
        r"^(?:please )?for (?:every|each|any|all)\b (?!i\b|we\b|[^,]{2,60}, (?:please )?(?:plot|compute|print|show|add|list|draw|create|write|generate|output|calculate)\b).{8,}",
        "{whole}",
        ("local",),
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:don't|do not|dont|never|avoid|stop)\b (?!worry|mind|think|know|forget|see|understand).{3,160}?\b(?:ever|again|any ?more|without (?:asking|my|checking|telling|permission|approval|tests?|running)|unless|until i|under any|on (?:main|master|production))\b",
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:don't|do not|dont|avoid|stop)\b (?!worry|mind|think|know|forget|see|understand).{3,160}?\bin (?:the )?(?:commits?|commit messages?|code|docs|tests|comments|prs?|production)\b",
        "{whole}",
        ("local",),
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:don't|do not|dont) ever (?!worry|mind|think|know|hesitate|leave\b|it\b)"
        + _CHEER
        + r"\w+ \w+",
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:don't|do not|dont|never|stop|avoid) (?:ever )?(?:us(?:e|ing)|add(?:ing)?|writ(?:e|ing)|put(?:ting)?|commit(?:ting)?|import(?:ing)?|call(?:ing)?|nam(?:e|ing)|return(?:ing)?|rais(?:e|ing)|mock(?:ing)?|format(?:ting)?|hard-?cod(?:e|ing)|run(?:ning)?)"
        r" (?!it\b|this\b|that\b|them\b|these\b|those\b)[^,;]{2,80}[,;] ?(?:but )?(?:please )?(?:always )?(?:use|prefer|write|put|call|import|go with|raise|return|name|run|keep|stick to) (?!it\b|that\b|this\b|them\b)\w+",
        "{whole}",
        ("local",),
    ),
    # When something recurs: nothing definite is named in the clause, so it is no step of today's work.
    Cue(
        "instruction",
        r"^(?:please )?when(?:ever)? you(?:'re| are)? (?![^,]*\b(?:the|this|that|it|these|those|done|finished|ready|back|time|chance|now|today)\b)\w+ [^,]{2,60}, (?:please )?(?:always |never |only |just )?"
        r"(?:use|write|add|put|run|keep|prefer|include|follow|don't|do not|avoid|make sure|ask|check|format|document|name|start|end|stick|answer|reply)\b (?!it\b|that\b|this\b|me (?:know|back))\w+",
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:stop|quit|avoid) (?!it\b|that\b|this\b|there\b|here\b|talking|being|now)\w+ing .{3,}",
        "{whole}",
        ("local",),
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:let's )?keep (?:each(?! other)|every|all|your|commits?|the (?:answers?|replies|responses|commits?|code|tests|docs|comments|messages|summary|summaries)|it|them|things|responses|answers|replies) (?!in mind|going|that\b|up\b|it up|at it|coming|me (?:posted|updated)|.{0,20}\bgoing\b).{4,}",
        "{whole}",
        ("local",),
    ),
    Cue(
        "instruction",
        r"^(?:please )?(?:only |just )?(?:use|prefer|answer|reply|respond|talk to me|speak|stick to|follow)\b(?! of\b| according)[^.:]{2,120}?\b(?:for (?:all|every|new)|in all|everywhere|by default|at all times|whenever|always)\b",
    ),
    # What stands there now and is to be replaced is a step of today's work.
    Cue(
        "instruction",
        r"^(?:please )?(?:only |just )?(?:use|prefer|answer|reply|respond|talk to me|speak|stick to|follow)\b(?! of\b| according)[^.:]{2,120}?(?:\b(?:instead of|rather than)\b(?! (?:the|this|that|these|those|it)\b)|\bin (?:english|german|french|chinese|spanish|japanese|korean)\b|, not\b)",
        "{whole}",
        ("local",),
    ),
    Cue("instruction", r"^(?:please )?(?:call|address) me (?!back|when|if|later|a\b)\w+"),
    Cue(
        "instruction",
        r"^(?:please |and )?no (?:emojis?|comments|abbreviations|jargon|small talk|filler|markdown|tables|semicolons|force[- ]push\w*|mocks?|new dependencies|external \w+|apologies|preamble)\b",
        "{whole}",
        ("local",),
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
        "{whole}",
        ("local",),
    ),
    Cue("instruction", r"^.{4,140}\b(?:should|must) (?:always|never)\b.{4,}"),
    # Of many things: what one of them should only do is part of today's work.
    Cue(
        "instruction",
        r"^.{0,140}\b(?!this\b)(?:\w+s|we|you|everyone|code) (?:should|must) only\b.{4,}",
        "{whole}",
        ("local",),
    ),
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
)
