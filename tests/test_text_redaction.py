"""Secrets leave the text; what only looks like one stays. No secret here is real: all are put together."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from memctl.text.redaction import redact, redact_json
from memctl.text.secret_shapes import JOINED_SHAPES, TOKEN_SHAPES
from memctl.text.secret_values import kind_of_name

MIXED = "a1B2c3D4e5F6g7H8i9J0" * 8  # letters of both cases and digits
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0" * 3
CAPS = "Q2W3E4R5T6Z7U8I9O0PA" * 4
PEM = "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----"

TOKENS = {
    "anthropic": "sk-ant-api03-" + MIXED[:90],
    "openrouter": "sk-or-v1-" + HEX[:64],
    "openai": "sk-proj-" + MIXED[:40] + "-_" + MIXED[:40],
    "aws": "AKIA" + CAPS[:16],
    "google": "AIza" + MIXED[:20] + "-_" + MIXED[:13],
    "azure": "aB3" + "8Q~" + MIXED[:33],
    "alibaba": "LTAI" + MIXED[:20],
    "tencent": "AKID" + MIXED[:32],
    "github": "ghp_" + MIXED[:36],
    "gitlab": "glpat-" + MIXED[:9] + "_-" + MIXED[:9],
    "slack": "xoxb-" + "123456789012-" * 2 + MIXED[:24],
    "stripe": "sk_live_" + MIXED[:24],
    "npm": "npm_" + MIXED[:36],
    "pypi": "pypi-" + MIXED[:70],
    "huggingface": "hf_" + MIXED[:34],
    "telegram": "123456789:AA" + MIXED[:33],
    "sendgrid": "SG." + MIXED[:22] + "." + MIXED[:43],
    "twilio": "SK" + HEX[:32],
    "mailgun": "key-" + HEX[:32],
    "mailchimp": HEX[:32] + "-us12",
    "digitalocean": "dop_v1_" + HEX[:64],
    "shopify": "shpat_" + HEX[:32],
    "square": "sq0atp-" + MIXED[:22],
    "linear": "lin_api_" + MIXED[:40],
    "notion": "ntn_" + MIXED[:46],
    "figma": "figd_" + MIXED[:40],
    "databricks": "dapi" + HEX[:32],
    "vault": "hvs." + MIXED[:30],
    "xai": "xai-" + MIXED[:80],
    "groq": "gsk_" + MIXED[:52],
    "replicate": "r8_" + MIXED[:37],
    "perplexity": "pplx-" + MIXED[:48],
    "tavily": "tvly-" + MIXED[:32],
    "nvidia": "nvapi-" + MIXED[:64],
    "langsmith": "lsv2_pt_" + HEX[:32] + "_" + HEX[:10],
    "sentry": "sntrys_" + MIXED[:60],
    "grafana": "glsa_" + MIXED[:32] + "_" + HEX[:8],
    "postman": "PMAK-" + HEX[:24] + "-" + HEX[:34],
    "rubygems": "rubygems_" + HEX[:48],
    "docker": "dckr_pat_" + MIXED[:27],
    "atlassian": "ATATT3" + MIXED[:80],
    "age": "AGE-SECRET-KEY-1" + CAPS[:58],
    "supabase": "sbp_" + HEX[:40],
    "planetscale": "pscale_tkn_" + MIXED[:43],
    "netlify": "nfp_" + MIXED[:40],
    "pulumi": "pul-" + HEX[:40],
    "doppler": "dp.pt." + MIXED[:43],
    "discord": "M" + MIXED[:23] + "." + MIXED[:6] + "." + MIXED[:27],
    "jwt": "eyJ" + MIXED[:33] + ".eyJ" + MIXED[:60] + "." + MIXED[:43],
}


def test_every_shape_has_an_example() -> None:
    assert set(TOKENS) == {*TOKEN_SHAPES, *JOINED_SHAPES}


FRAMES = [
    *["{}", "export X={}\n", '{{"x": "{}"}}', "用 {} 登录", "see `{}`.", "\\n{}\\n", "({})"],
    "\x1b[32m{}\x1b[0m",
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("kind", "token"), TOKENS.items(), ids=TOKENS)
def test_a_providers_key_is_found_wherever_it_stands(kind: str, token: str, frame: str) -> None:
    assert redact(frame.format(token)) == (frame.format(f"[REDACTED:{kind}]"), 1)


NAMED = {
    "environment": ("DB_PASSWORD=hunter2!x\nPORT=1", "DB_PASSWORD=[REDACTED:password]\nPORT=1"),
    "yaml": ("password: s3cr3t-pw\nuser: ada", "password: [REDACTED:password]\nuser: ada"),
    "json": ('{"apiKey": "' + MIXED[:20] + '"}', '{"apiKey": "[REDACTED:api_key]"}'),
    "json in json": (r"{\"password\": \"hunter2\"}", r"{\"password\": \"[REDACTED:password]\"}"),
    "python": ("self.password = 'Tr0ub4dor&3'", "self.password = '[REDACTED:password]'"),
    "python with a type": ('password: str = "swordfish"', 'password: str = "[REDACTED:password]"'),
    "subscript": (
        f'os.environ["SECRET_KEY"] = "{MIXED[:24]}"',
        'os.environ["SECRET_KEY"] = "[REDACTED:secret]"',
    ),
    "go": (f'apiKey := "{MIXED[:24]}"', 'apiKey := "[REDACTED:api_key]"'),
    "ruby": (f":client_secret => '{HEX[:32]}'", ":client_secret => '[REDACTED:secret]'"),
    "header in quotes": (
        f"curl -H 'X-Api-Key: {HEX[:16]}' -s",
        "curl -H 'X-Api-Key: [REDACTED:api_key]' -s",
    ),
    "inside a string": (
        '"dsn": "user=ada password=hunter2"',
        '"dsn": "user=ada password=[REDACTED:password]"',
    ),
    "query": (f"GET /v1?access_token={MIXED[:24]}&page=2", "GET /v1?access_token=[REDACTED:token]&page=2"),
    "option": ("mysql --password hunter2 -u ada", "mysql --password [REDACTED:password] -u ada"),
    "option with =": ("mysql --password=hunter2 -u ada", "mysql --password=[REDACTED:password] -u ada"),
    "ampersand inside": ("password: Tr0ub4dor&3xyz / ok", "password: [REDACTED:password] / ok"),
    "short before an ampersand": ("DB_PASSWORD=p&ssw0rdXY1", "DB_PASSWORD=[REDACTED:password]"),
    "comma inside": ("passwd: P@ss,word9x", "passwd: [REDACTED:password]"),
    "form": ("password=hunter2x&user=ada", "password=[REDACTED:password]&user=ada"),
    "list": ("password=hunter2x, user=ada", "password=[REDACTED:password], user=ada"),
    "list without blanks": ("password=hunter2x,user=ada", "password=[REDACTED:password],user=ada"),
    "then a command": ("PASSWORD=hunter2x&&make", "PASSWORD=[REDACTED:password]&&make"),
    "mysql -p": ("mysql -u root -phunter2x app", "mysql -u root -p[REDACTED:password] app"),
    "mysqldump": ("mysqldump -p'hunter2x' app", "mysqldump -p'[REDACTED:password]' app"),
    "curl -u": (
        "curl -u ada:hunter2x https://a.example",
        "curl -u ada:[REDACTED:password] https://a.example",
    ),
    "sshpass": ("sshpass -p 'hunter2x' ssh a", "sshpass -p '[REDACTED:password]' ssh a"),
    "docker login": (
        "docker login -u ada -p hunter2x r.example",
        "docker login -u ada -p [REDACTED:password] r.example",
    ),
    "redis-cli": ("redis-cli -h a -a hunter2x ping", "redis-cli -h a -a [REDACTED:password] ping"),
    "npmrc": (f"//r.org/:_authToken={MIXED[:30]}", "//r.org/:_authToken=[REDACTED:token]"),
    "aws": (f"aws_secret_access_key = {MIXED[:38]}/+", "aws_secret_access_key = [REDACTED:secret]"),
    "azure": (f"AccountName=a;AccountKey={MIXED[:86]}==;", "AccountName=a;AccountKey=[REDACTED:api_key];"),
    "url": ("postgres://ada:s3cr3t@db:5432/app", "postgres://ada:[REDACTED:url_password]@db:5432/app"),
    "redis": ("redis://:p4ssw0rd9@cache:6379", "redis://:[REDACTED:url_password]@cache:6379"),
    "bearer": (f'-H "Authorization: Bearer {MIXED[:40]}"', '-H "Authorization: Bearer [REDACTED:bearer]"'),
    "bearer alone": (f"sent Bearer {MIXED[:40]} to it", "sent Bearer [REDACTED:bearer] to it"),
    "basic": ("Authorization: Basic YWRhOmh1bnRlcjI=", "Authorization: Basic [REDACTED:basic_auth]"),
    "basic in code": (
        'headers.set("Authorization", "Basic YWRhOmh1bnRlcjI=")',
        'headers.set("Authorization", "Basic [REDACTED:basic_auth]")',
    ),
    "shared link": (
        f"https://a.blob.core.windows.net/c?sv=1&sig={MIXED[:43]}%3D&se=2",
        "https://a.blob.core.windows.net/c?sv=1&sig=[REDACTED:azure]&se=2",
    ),
    "webhook": (
        f"https://hooks.slack.com/services/T01234567/B01234567/{MIXED[:24]}",
        "https://hooks.slack.com/services/[REDACTED:slack]",
    ),
    "spoken": ("the password is hunter2, try it", "the password is [REDACTED:password], try it"),
    "chinese": ("数据库密码是 Abc12345，别外传", "数据库密码是 [REDACTED:password]，别外传"),
    "key block": (PEM.format("\n".join([MIXED[:64]] * 12)), "[REDACTED:private_key]"),
    "key block in json": (
        json.dumps(PEM.format("\n".join([MIXED[:64]] * 12)) + "\nend"),
        '"[REDACTED:private_key]\\nend"',
    ),
    "key block cut off": (
        PEM.format("\n".join([MIXED[:64]] * 12)).partition("-----END")[0] + "... cut",
        "[REDACTED:private_key]\n... cut",
    ),
}


@pytest.mark.parametrize(("text", "clean"), NAMED.values(), ids=NAMED)
def test_a_secret_behind_its_name_is_replaced_and_the_rest_kept(text: str, clean: str) -> None:
    assert redact(text) == (clean, 1)


NO_SECRETS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "sha256: " + HEX[:64],
    '"sha": "' + HEX[:40] + '", "token_count": 5120, "max_tokens": 4096',
    "id 123e4567-e89b-12d3-a456-426614174000",
    "toolu_01" + MIXED[:22] + " call_" + MIXED[:24] + " req_01" + MIXED[:22] + " msg_" + MIXED[:24],
    "data:image/png;base64," + "iVBORw0KGgo" + (MIXED + "+/") * 30,
    "password = input('Password: ')",
    'password = getpass.getpass("Your password")',
    'api_key=os.environ["OPENAI_API_KEY"]',
    "apiKey: process.env.STRIPE_KEY2",
    "token = request.headers.get('Authorization')",
    "secret = config.get_secret(name)",
    "password = self.settings.database2.password",
    "if password == 'hunter2x':",
    "password: str | None = None",
    "def login(user: str, password: str) -> Token:",
    "passwords: 3 rounds",
    "password=<your password>",
    "mysql -u root -p app",
    "docker run --name mysql -p3306:3306 mysql:8",
    "curl -u ada:$TOKEN https://a.example",
    "mysql; mkdir -p a1b2c3d4",
    "password=xxxxxxxx",
    "password=********",
    "PASSWORD=${DB_PASSWORD}",
    "password: $1",
    'api_key="YOUR_API_KEY_123"',
    "api_key: sk-...",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-folding-cube-animation-loader",
    "PWD=/home/ada/work2",
    "private_key: ~/.ssh/id_ed25519",
    "ssl_key=server2.key",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    'f"Bearer {access_token2}"',
    "postgres://user:password@localhost/db",
    "https://${USER}:${PASS}@host",
    "http://host:8080/a@b",
    '"nextToken": "' + MIXED[:40] + '"',
    "next_page_token=" + MIXED[:40],
    "primary_key=True, sort_key: created_at_2",
    "cache_key = 'user:42:profile'",
    "keyboard=qwerty123456",
    "tokenizer=o200k_base1",
    '{"type": "string", "format": "password"}',
    '{"password": "string", "token": "string"}',
    '"password": "Must be at least 8 characters"',
    'if "-----BEGIN PRIVATE KEY-----" in text:',
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\n" + MIXED[:64] + "\n-----END PUBLIC KEY-----",
    "test_calculate_separability_matrix_2_nested_models",
    "2026-04-12T21-00-33-872p08-00-1a2b3c4d5e6f",
    "密码是必填项",
]


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_every_secret_is_counted() -> None:
    text = "\n".join(f"- {token}" for token in TOKENS.values())

    clean, count = redact(text)

    assert count == len(TOKENS)
    assert clean == "\n".join(f"- [REDACTED:{kind}]" for kind in TOKENS)


SECRET_NAMES = """password DB_PASSWORD dbPassword PGPASSWORD pwd db_pass clientSecret SECRET_KEY token
    _authToken access_token API_KEY apiKey X-Api-Key --api-key APIKey2""".split()
OTHER_NAMES = """bypass compass password_hash tokens max_tokens nextToken eos_token key monkey primary_key
    public_key secret_name secretary api_key_id - _""".split()


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_names_of_secrets_are_known(name: str) -> None:
    assert kind_of_name(name)


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_other_names_are_not_names_of_secrets(name: str) -> None:
    assert kind_of_name(name) == ""


# --------------------------------------------------------------------------- JSON values


def test_json_is_redacted_by_key_and_by_text() -> None:
    value = {"password": "hunter2", "env": [f"X={TOKENS['github']}", 3, None], "n": {"apiKey": HEX}}
    before = json.dumps(value)

    assert redact_json(value) == (
        {
            "password": "[REDACTED:password]",
            "env": ["X=[REDACTED:github]", 3, None],
            "n": {"apiKey": "[REDACTED:api_key]"},
        },
        3,
    )
    assert json.dumps(value) == before


def test_json_keeps_the_scheme_of_a_header() -> None:
    assert redact_json({"Authorization": f"Bearer {MIXED[:40]}"}) == (
        {"Authorization": "Bearer [REDACTED:bearer]"},
        1,
    )


@pytest.mark.parametrize("value", [{"a": [1, "b", {"c": None}]}, "text", 3, None, [], {"password": ""}])
def test_clean_json_comes_back_as_the_same_object(value: Any) -> None:
    assert redact_json(value) == (value, 0)
    assert redact_json(value)[0] is value


def test_a_string_alone_is_json_too() -> None:
    assert redact_json(TOKENS["npm"]) == ("[REDACTED:npm]", 1)


def test_json_deeper_than_the_recursion_limit_is_redacted() -> None:
    value: Any = TOKENS["npm"]
    for _ in range(20_000):
        value = [value]

    clean, count = redact_json(value)

    assert count == 1
    while isinstance(clean, list):
        (clean,) = clean
    assert clean == "[REDACTED:npm]"
    while isinstance(value, list):  # a deep list is freed without recursion
        (value,) = value


# --------------------------------------------------------------------------- any text

FRAGMENTS = [
    *[*TOKENS.values(), *(text for text, _ in NAMED.values()), *NO_SECRETS],
    *["password", "=", ": ", '"', "'", "\\", "\n", " ", "://", "@", "Bearer ", "[REDACTED:jwt]", "密码", "é"],
]
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)
leaves = st.lists(st.sampled_from(FRAGMENTS), max_size=3).map("".join)
keys = st.sampled_from(["token", "Authorization", "a"])


@given(texts | st.text())
def test_redacting_again_changes_nothing(text: str) -> None:
    clean, _ = redact(text)

    assert redact(clean) == (clean, 0)


@settings(max_examples=50)
@given(st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=6))
def test_redacting_json_again_changes_nothing(value: Any) -> None:
    clean, count = redact_json(value)

    assert redact_json(clean) == (clean, 0)
    assert (clean == value) == (count == 0)


HOSTILE = [
    *["password", "password=", "key", "a-b_", "eyJ", "eyJaaaaaaaa.", "://a:", "sk-", "xoxb-1", '"', "\\"],
    *["-----BEGIN PRIVATE KEY-----", "A" * 24 + "1.", "secret\\", "token '", "authorization: ", "AKIA"],
    *["a1" * 12 + "\n", "key=" + "a" * 300, "password='", "密码是", " "],
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_ends(piece: str) -> None:
    """A quadratic reading would not come back within the life of the test run."""
    assert redact(piece * (60_000 // len(piece)))[1] >= 0


def test_secrets_in_the_names_of_members_are_redacted_and_none_is_lost() -> None:
    one, other = (f"ghp_{digit}bCdEfGhIjKlMnOpQrStUvWxYz0123456789"[:40] for digit in "aA")
    value = {one: 1, "b": {other: [2]}, other: 3}
    found, count = redact_json(value)
    assert count == 3
    assert one not in str(found)
    assert other not in str(found)
    assert sorted(map(str, found.values())) == sorted(["1", "3", str(found["b"])])
    assert value[one] == 1
