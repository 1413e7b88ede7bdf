"""How people say it in English."""

from memctl.layers.cues.english.claims import CLAIMS
from memctl.layers.cues.english.people import PEOPLE
from memctl.layers.cues.english.plans import PLANS
from memctl.layers.cues.english.practice import PRACTICE
from memctl.layers.cues.shape import Language

LANGUAGE = Language(
    name="english",
    openings=(
        r"(?:(?:ok(?:ay)?|alright|all right|right|so+|well|yeah|yep|yes|no|nope|and|but|also|oh|hey|hi there|hi|"
        r"hello(?: there)?|thanks|thank you|btw|by the way|honestly|frankly|to be (?:honest|fair|clear|precise)|tbh|"
        r"fwiw|for what it's worth|actually|basically|anyway|now|then|look|listen|of course|sure(?: thing)?|great|"
        r"cool|perfect|certainly|absolutely|good news|after (?:some|much|a lot of|long) [a-z ]{3,30}|"
        r"one more thing|another thing|in the end|at the end of the day|first of all|finally)"
        r"(?:\s*[,.!:;]+\s*|\s+-+\s+|\s+(?=\w))|"
        r"(?:quick |just |small |important |side )?(?:fact|note|update|heads[- ]up|fyi|reminder|context|background|"
        r"info|status|confirmed|confirming|nb|important|for (?:the )?(?:record|file|context|reference|background)|"
        r"for your information|ps|p\.s\.)"
        r"(?: for (?:the|your) (?:file|files|record|records|log|team))?\s*[:,-]\s*(?:that\s+)?|"
        r"we (?:talked|discussed|spoke)(?: about)?(?: it| this)?(?: and|,)\s+|"
        r"(?:please )?(?:remember|keep in mind|bear in mind|don't forget)(?:,? that\s+|\s*:\s*)|"
        # what is told in full behind it: "I moved, I live in Kiel now"
        r"(?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:moved|relocated|changed (?:jobs|my mind)|switched jobs|got a new job)"
        r"(?: again| recently| house| home)?(?:[,;:]| and| so)+ (?:now )?(?=(?:i|we|my)\b))"
    ),
    cues=(*PLANS, *PEOPLE, *PRACTICE, *CLAIMS),
    request=(
        r"^(?:please |pls )?(?:can|could|would|will) (?:you|we|i)\b|^(?:please|pls|kindly)\b|^(?:help|tell|show|give|write|create|make|fix|"
        r"run|add|find|explain|generate|list|describe|translate|summari[sz]e|implement|update|change|remove|check|"
        r"read|open|build|refactor|review|install|test|debug|compare|design|draft|suggest|provide|convert|rewrite|"
        r"rename|replace|move|extract|delete|split|merge|sort|simplify|inline|revert|undo|apply|print|copy|paste|"
        r"edit|classify|identify|name|calculate|compute|solve|analy[sz]e|consider|imagine|let me know)\b|"
        r"^i(?:'d| would) (?:like|love|appreciate)\b|^i (?:want|need)\b(?! to \w+.{2,120}\bby\b)|^i(?:'m| am) (?:looking|trying|hoping|calling|having trouble)\b|"
        r"^i have .{2,80}\b(?:and|that|which) i(?:'d)? (?:want|need|like|would like) to\b"
    ),
    refuses=r"\b(?:no|nope|wrong|not quite)\b",
    vague=r"\b(?:of|on|to|with|about|at|for|through) (?:this|it|that|one|them|these|those)\b(?! (?:\w+ly )?(?!because\b|since\b|as\b|so\b|and\b|but\b|when\b|if\b|again\b|now\b|anyway\b|too\b|either\b)[a-z]+)|\b(?:seeing|having|watching|doing|using|making|holding|keeping|getting|dreaming of|working on) (?:them|it|this|that|one)\b",
    opines=r"\b(?:honestly|frankly|to be honest|tbh)\b",
    announces=r"\b(?:remember|mind|forget|fact|note|fyi|reminder|context|background|confirmed|record|file|reference|important|your information|nb|heads[- ]up)\b",
    question=r"\?\s*$|^(?:what|why|how|who|where|when|which|whose|is|are|do|does|did|should|shall|was|were|has|have you|can|could|would you)\b.{0,300}\?",
    hypothetical=r"^(?:if|suppose|assuming|assume|imagine|let's say|say|given|considering|what if|maybe|perhaps|i wonder|i'm wondering|wondering|not sure|i guess|might|could be)\b",
    pointing=r"^(?:it|that|this|these|those|they|them|there|here|such|one|both|either|neither|same|which|who|he|she)(?:'s|'re|'ll|'d)?\b(?!\s(?:year|month|week|quarter|season|morning|evening|project|repo|codebase|team|company|fall|spring|summer|winter|autumn)\b)",
    follows=(
        (
            "decision",
            r"^(?:switching|moving|re-?running|starting|keeping|dropping|using|adopting|replacing|will|no more|only|and|plus|also|effective|applies|then|the rest|everything else|instead of|rather than)\b|^[\w'’. -]{3,30} only (?:on|for|in|when)\b",
        ),
        (
            "commitment",
            r"^(?:currently|right now|now|today|target|goal|deadline|due|at the moment|otherwise|if (?:i|we) (?:can't|cannot|don't|fail)|or else|failing that|until then|starting)\b",
        ),
        ("preference", r"^(?:because|since|mostly because|mainly because|not)\b"),
        ("fact", r"^(?:no exceptions|no extensions|hard deadline|strict deadline)\b"),
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
            r"^i (?P<adverb>(?:[a-z]+ly|always|much|still|just|also|never|often|sometimes|now|no longer) )*(?P<verb>[a-z]+(?:'t)?)(?!\w)",
            "User {adverb}{verb}",
        ),
    ),
    person=r"^(?:she|he)(?='s| |'d|'ll)",
    named=r"^([A-Z][\w-]+(?: [A-Z][\w-]+)?)(?='s\b| [a-z])",
    unsure=r"\bnot (?:completely |entirely |really |quite )?(?:sure|certain)\b|\bmight be\b|\b(?:could|would) be (?:an? )?(?:really |very )?(?:great|good|nice|perfect|better|fun|cool)\b|\bsounds (?:like|great|good|perfect|amazing)\b|\b(?:great|good) (?:idea|point|call|question)\b|i don't (?:know|remember)",
    personal=r"(?:i|we|you|my|your)\b",
    makes_up=r"^(?:write|tell)\b.{0,40}?\b(?:story|poem|song|joke)\b",
    reported=r", (?!i |we |he |she |they |as )(?:\w+ ){1,3}(?:said|says|announced|reported)(?: (?:on|in|at) .{1,30})?\.?$",
    dictated=(
        r"^(?:[^:]{0,80}\b)?(?:write|writes|say|says|saying|reads|put|insert|paste|type|print|echo|translate|rephrase|proofread|commit message|title|headline"
        r"|subject line|caption|comment|docstring|sentence|quote|text)\b[^:.]{0,40}:\s?\S"
        r"|^(?:please )?(?:in|to|into|on) (?:the|our|my|your) [^,:]{2,40},? (?:please )?(?:write|add|put|say|mention|note|insert|include)\b"
    ),
    # "put it in the container", "always show on the line before"
    objectless=(
        r"^(?:(?:please|always|never|just|only|then|so|don't|do not|will|you (?:should|must|can)"
        r"|(?:i|we|you) (?:just |only |really )?(?:(?:want|need|have)(?: you)? to|should|must|will))\b,? )*"
        r"(?:(?!keep\b|make\b)[a-z]+ (?:it|this|that|them|these|those|one)(?=[.,!;]|$| 'cause\b"
        r"| (?:in|on|at|to|into|from|for|with|by|as|before|after|when|because|since|so|and|instead|again|away|out|up|down|back|there|here|only|first|every"
        r"|today|tomorrow|tonight|next)\b)"
        r"|(?:show|put|add|use|set|place|display|insert|include|remove|delete|replace|mention|wrap) (?:on|in|at|to|into|from|for|before|after|with|by|as)\b"
        r"|(?:(?:i|we) )?(?:go(?:ing)? with|take|use|pick|choose|prefer|like|keep|want|try) the (?:first|second|third|last|other|former|latter|same)(?: one| option)?[.!]?$)"
    ),
    remark=r"\s[—–-]{1,3}\s(?:we|i|that|which|so|but)\b[^—–]{0,160}\Z",
    binding=r"\b(?:by|before|until|no later than|within|going forward|from now on|every|stop)\b|promis|commit",
    options=r"option|approach|plan|variant|solution|proposal|suggestion|number|#",
    listed="option {choice}",
    chose="Chose {choice}: {title}",
    until=" to ",
)
