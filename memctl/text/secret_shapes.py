"""The shapes of secrets that tell themselves, provider by provider; data for `redaction`.

Sources: the providers' documentation and what secret scanners agree on. Each shape matches one whole
word (letters, digits, `_` and `-`, joined by `.` or `:` where the shape says so).
"""

TOKEN_SHAPES = {
    "anthropic": ("sk-ant-", r"[\w-]{20,}"),
    "openrouter": ("sk-or-", r"(?:v1-)?[0-9a-zA-Z]{32,}"),
    "openai": (
        "sk-",
        r"(?:(?:proj|svcacct|admin|None|service)-[\w-]{20,}|[0-9a-zA-Z]{20,}(?![\w-])|[\w-]{40,})",
    ),
    "aws": ("AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![0-9a-zA-Z])"),
    "google": ("AIza ya29. GOCSPX-", r"[\w-]{28,}"),
    "alibaba": ("LTAI", r"[0-9a-zA-Z]{16,24}(?![0-9a-zA-Z])"),
    "tencent": ("AKID", r"[0-9a-zA-Z]{32}(?![0-9a-zA-Z])"),
    "github": ("ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"[0-9a-zA-Z_]{22,}"),
    "gitlab": (
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas- GR1348941",
        r"[\w-]{20,}",
    ),
    "slack": ("xoxa- xoxb- xoxc- xoxd- xoxe- xoxe.xoxp- xoxo- xoxp- xoxr- xoxs- xapp-", r"[0-9a-zA-Z-]{10,}"),
    "stripe": ("sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[0-9a-zA-Z+/]{16,}=*"),
    "npm": ("npm_", r"[0-9a-zA-Z]{36}(?![0-9a-zA-Z])"),
    "pypi": ("pypi-", r"[\w-]{50,}"),
    "huggingface": ("hf_ api_org_", r"[0-9a-zA-Z]{30,}"),
    "sendgrid": ("SG.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    "twilio": ("SK", r"[0-9a-f]{32}(?![0-9a-zA-Z])"),
    "mailgun": ("key-", r"[0-9a-f]{32}(?![0-9a-zA-Z])"),
    "digitalocean": ("dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    "shopify": ("shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    "square": ("sq0atp- sq0csp- sq0idp-", r"[\w-]{22,}"),
    "linear": ("lin_api_ lin_oauth_", r"[0-9a-zA-Z]{32,}"),
    "notion": ("ntn_ secret_", r"[0-9a-zA-Z]{40,}"),
    "figma": ("figd_ figo_ figu_ figor_ figur_", r"[\w-]{36,}"),
    "databricks": ("dapi", r"[0-9a-f]{32}(?:-[0-9])?(?![0-9a-zA-Z])"),
    "vault": ("hvs. hvb. hvr.", r"[\w-]{20,}"),
    "xai": ("xai-", r"[0-9a-zA-Z]{40,}"),
    "groq": ("gsk_", r"[0-9a-zA-Z]{40,}"),
    "replicate": ("r8_", r"[0-9a-zA-Z]{30,}"),
    "perplexity": ("pplx-", r"[0-9a-zA-Z]{40,}"),
    "tavily": ("tvly-", r"[0-9a-zA-Z-]{20,}"),
    "nvidia": ("nvapi-", r"[\w-]{40,}"),
    "langsmith": ("lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    "sentry": ("sntrys_ sntryu_", r"[\w+/=-]{40,}"),
    "grafana": ("glc_ glsa_", r"[0-9a-zA-Z+/_]{32,}=*"),
    "postman": ("PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    "rubygems": ("rubygems_", r"[0-9a-f]{48}"),
    "docker": ("dckr_pat_ dckr_oat_", r"[\w-]{20,}"),
    "atlassian": ("ATATT3 ATBB", r"[\w=-]{28,}"),
    "age": ("AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    "supabase": ("sbp_ sb_secret_", r"[0-9a-zA-Z_-]{20,}"),
    "planetscale": ("pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.=-]{32,}"),
    "netlify": ("nfp_", r"[0-9a-zA-Z]{36,}"),
    "pulumi": ("pul-", r"[0-9a-f]{40}"),
    "doppler": ("dp.pt. dp.st. dp.ct. dp.sa.", r"[0-9a-zA-Z]{40,44}"),
    "jwt": ("eyJ", r"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
}
"""Kind: how its secrets may begin, and the pattern of what follows. The first that fits is taken."""

JOINED_SHAPES = {
    "telegram": r"[0-9]{8,10}:AA[\w-]{32,33}(?![0-9a-zA-Z])",
    "azure": r"[\w.-]{3}[0-9]Q~[\w.~-]{31,34}(?![0-9a-zA-Z])",
    "discord": r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![0-9a-zA-Z])",
    "mailchimp": r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9a-zA-Z])",
}
"""Kind and pattern of those that begin with anything, and have a joint inside."""
