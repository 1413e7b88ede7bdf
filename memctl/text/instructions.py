"""Detect text that reads like an instruction to a model: here it is data, and it is marked as such."""

import re
import unicodedata

from memctl.text.widths import printable

_BEFORE_IT = r"\s(?:\w+\s){0,4}?"  # a few words
# In other languages: what is to be passed over (verbs), which (a qualifier), and what (a noun), with up to
# four words between them; the qualifier stands before or behind the noun. Each verb begins with letters.
_OTHERS = (
    (
        ("ignorier(?:e|en|t)", "vergiss", "vergesst", "vergessen", "missachte[nt]?", "übergeh(?:e|en|t)"),
        r"vorherige[nrs]?|vorige[nrs]?|bisherige[nrs]?|frühere[nrs]?|obige[nrs]?|alle[nrs]?|sämtliche[nrs]?",
        r"(?:system)?(?:anweisung|instruktion|vorgabe|regel|befehl|anleitung|prompt|nachricht)(?:en|e|s|n)?",
    ),
    (
        ("ignore[zr]?", "oublie[zr]?", "néglige[zr]?", "fais abstraction"),
        r"précédent(?:e|es|s)?|antérieur(?:e|es|s)?|tou(?:te|tes|s|t)|ci-dessus|système",
        r"(?:instruction|consigne|règle|directive|ordre|message|prompt)s?",
    ),
    (
        (
            *("ignor(?:a|e|ad|en|ar)", "olvid(?:a|e|ad|en|ar)", "omit(?:e|a|an|ir)"),
            "desobede(?:ce|zca)",
        ),
        r"anterior(?:es)?|previ[ao]s?|precedentes?|tod[ao]s?|sistema",
        r"(?:instrucci(?:ón|ones)|indicaci(?:ón|ones)|reglas?|[oó]rden(?:es)?|mensajes?|directrices)",
    ),
    (
        ("ignor(?:e|a|em|ar)", "esque(?:ça|ce|çam|cer)", "desconsider(?:e|a|em|ar)"),
        r"anterior(?:es)?|prévi[ao]s?|acima|tod[ao]s?|sistema",
        r"(?:instruç(?:ão|ões)|regras?|ordens|mensagens|diretrizes|comandos?)",
    ),
    (
        ("ignor(?:a|ate|i|are)", "dimentic(?:a|ate|hi|are)", "trascur(?:a|ate|i|are)"),
        r"precedent[ei]|tutt[eio]|sopra|sistema",
        r"(?:istruzion[ei]|regol[ae]|comand[oi]|messagg[io]|direttiv[ae])",
    ),
    (
        ("negeer", "negeren", "vergeet"),
        r"vorige|eerdere|voorgaande|bovenstaande|alle|systeem",
        r"(?:instructie|opdracht|regel|aanwijzing|bericht|prompt)(?:s|en)?",
    ),
    (
        ("игнорируй(?:те)?", "проигнорируй(?:те)?", "забудь(?:те)?"),
        r"предыдущи[ехй]|прежни[ехй]|прошлы[ехй]|вышеуказанны[ехй]|все|всех|системны[ехй]",
        r"(?:инструкци|указани|правил|команд|сообщени|подсказк)\w*",
    ),
    (
        ("ignoruj(?:cie)?", "zignoruj(?:cie)?", "zapomnij(?:cie)?", "pomiń(?:cie)?"),
        r"poprzedni(?:e|ch)|wcześniejsz(?:e|ych)|powyższ(?:e|ych)|wszystki(?:e|ch)|systemow(?:e|ych)",
        r"(?:instrukcj|polece|zasad|regu|wskazów|wiadomoś)\w*",
    ),
    (
        ("تجاهل", "انس", "أهمل", "اهمل"),
        r"السابقة|أعلاه|جميع|كل|النظام",
        r"(?:ال)?(?:تعليمات|أوامر|اوامر|قواعد|رسائل)",
    ),
    (
        ("abaikan", "lupakan"),
        r"sebelumnya|di atas|semua|sistem",
        r"(?:instruksi|perintah|petunjuk|aturan|pesan)",
    ),
    (
        ("bỏ qua", "quên", "phớt lờ"),
        r"trước(?: đó)?|ở trên|mọi|tất cả|hệ thống",
        r"(?:hướng dẫn|chỉ dẫn|lệnh|quy tắc)",
    ),
)
# And in English, as tags and roles, in Chinese, and where the verb comes last: what stands before the first word,
# that word, and the rest.
_WHOLE = (
    (
        r"\b",
        ("ignore", "disregard", "forget", "override", "bypass"),
        (
            r"\s(?:\w+\s){0,3}?(?:previous|prior|above|earlier|preceding|system|all|any|your|the)"
            r"\s(?:\w+\s){0,3}?(?:instruction|prompt|rule|message|context|guideline|direction)s?\b"
        ),
    ),
    (r"\b", ("you",), r"\s(?:are\snow|must\snow|will\snow)\b"),
    (r"\b", ("new",), r"\s(?:system\s)?(?:instructions?|prompt)\s?:"),
    (
        r"\b",
        ("reveal", "print", "show", "repeat", "leak"),
        r"\s(?:\w+\s){0,2}?(?:system\sprompt|hidden\sprompt|instructions\sabove)\b",
    ),
    (r"\b", (r"do\snot", "don't", "never"), r"\s(?:tell|inform|alert|warn)\sthe\suser\b"),
    (
        "",
        ("<",),
        (
            r"/?\s?(?:system|assistant|user|instructions?|im_start|im_end|relevant-memories|agent-role|user-persona"
            r"|relevant-scenes|current_task_context|history_task_context)\b[^<>]{0,100}>"
        ),
    ),
    ("", ("<",), r"\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"),
    (r"\[/?", ("INST",), r"\]"),
    (r"^\s*", ("system", "assistant"), r"\s?:"),
    (
        "",
        ("忽略", "无视", "忘记", "忘掉", "不要理会"),
        r"(?:之前|以上|上面|先前|前面|你|所有|一切|系统|的|全部){1,6}(?:指令|提示|规则|指示|要求|内容)",
    ),
    (
        "",
        ("以前", "これまで", "上記", "すべて"),
        r"の(?:すべての)?(?:指示|命令|プロンプト)を?(?:無視|忘れ)",
    ),
    (
        "",
        ("이전", "위(?:의)?", "모든"),
        r"\s?(?:의\s)?(?:모든\s)?(?:지시|명령|프롬프트)(?:사항)?[을를]?\s?(?:무시|잊)",
    ),
    (
        r"\b",
        ("önceki", "tüm", "bütün", "yukarıdaki"),
        (
            r"\s(?:\w+\s){0,3}?(?:talimat|komut|yönerge|kural|mesaj)\w*"
            r"\s(?:\w+\s){0,2}?(?:yok\s?say|görmezden|unut|dikkate\salma)"
        ),
    ),
    (
        "",
        ("पिछले", "सभी", "उपरोक्त", r"पहले\sके"),
        r"\s(?:\S+\s){0,3}?(?:निर्देश|आदेश|नियम)\S*\s(?:\S+\s){0,3}?(?:अनदेखा|नज़रअंदाज़|अनदेखी|भूल)",
    ),
    (
        "",
        ("無視", "忘記", "忘掉", "不要理會"),
        r"(?:之前|以上|上面|先前|前面|你|所有|一切|系統|的|全部){1,6}(?:指令|提示|規則|指示|要求|內容)",
    ),
)
_SPECIAL = re.compile(r"[(\[\\]")


def _folded(text: str) -> str:
    """Write a text so that what differs in case alone, as regular expressions see it, is the same."""
    return text.casefold().replace("ı", "i").replace("\u0307", "")  # of İ


def _pattern(before: str, first: tuple[str, ...], rest: str) -> tuple[tuple[str, ...], str]:
    starts = tuple(_folded(_SPECIAL.split(one)[0]) for one in first)
    return starts, f"{before}(?:{'|'.join(first)}){rest}"


# Patterns, and of each the letters of which some stand in every text that it finds: so only these texts are
# looked through, and only what they need is compiled.
_PATTERNS = (
    *(
        _pattern(
            r"\b", verbs, rf"{_BEFORE_IT}(?:(?:{which}){_BEFORE_IT}{what}|{what}{_BEFORE_IT}(?:{which}))\b"
        )
        for verbs, which, what in _OTHERS
    ),
    *(_pattern(*one) for one in _WHOLE),
)
_STARTS = tuple(dict.fromkeys(start for starts, _ in _PATTERNS for start in starts))
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")


class _Shown(dict[int, int | None]):
    """For `str.translate`: drops format characters; what a character is, is found when it first comes."""

    def __missing__(self, point: int) -> int | None:
        self[point] = None if unicodedata.category(chr(point)) == "Cf" else point
        return self[point]


_SHOWN = _Shown()


def reads_like_an_instruction(text: str) -> bool:
    """Tell whether *text* seems to speak to the model that will read it, as injected text does.

    It is judged as it is printed, in one width, without invisible characters and with single spaces.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", printable(text)).translate(_SHOWN)
    text = _LINES.sub("\n", _SPACES.sub(" ", text))
    folded = _folded(text)
    found = {start for start in _STARTS if start in folded}
    return bool(found) and any(
        re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
        for starts, pattern in _PATTERNS
        if not found.isdisjoint(starts)
    )
