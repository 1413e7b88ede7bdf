"""Letters of Chinese, Japanese and Korean, as they stand within the brackets of a pattern."""

KANA = "\u3040-\u30ff"
HAN = "\u3400-\u9fff"
HANGUL = "\uac00-\ud7a3"
CJK = f"{KANA}{HAN}{HANGUL}"
