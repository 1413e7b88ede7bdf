"""What the first word of a tool's name says of its kind (DESIGN 4.1)."""

# The first word of a name that no agent's table has: tools of a domain (orders, flights, notes, ...).
_VERBS = {
    "read": "get read show view fetch retrieve describe inspect load open lookup check",
    "list": "list enumerate",
    "search": "search find query lookup locate grep",
    "edit": "edit update modify change set patch replace rename move delete remove cancel exchange return",
    "write": "create write add book new save upload send post publish generate make",
    "run": "run exec execute calculate compute convert eval invoke",
    "test": "test verify validate",
    "web": "browse navigate scrape crawl download",
    "build": "build compile lint",
    "vcs": "git commit",
    "plan": "plan todo",
    "agent": "delegate spawn transfer handoff",
}
KIND_OF_VERB: dict[str, str] = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs.split()}
