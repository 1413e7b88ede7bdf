"""Tell text that reads like an instruction to a model: here it is data, and its reader is told so."""

import re

_READS_LIKE_ONE = re.compile(
    r"""\b(?:ignore|disregard|forget|override|bypass)\s(?:\w+\s){0,3}?
            (?:previous|prior|above|earlier|preceding|system|all|any|your|the)
            \s(?:\w+\s){0,3}?
            (?:instruction|prompt|rule|message|context|guideline|direction)s?\b
      | \byou\s(?:are\snow|must\snow|will\snow)\b | \bnew\s(?:system\s)?(?:instructions?|prompt)\s?:
      | \b(?:reveal|print|show|repeat|leak)\s(?:\w+\s){0,2}?
            (?:system\sprompt|hidden\sprompt|instructions\sabove)\b
      | \b(?:do\snot|don't|never)\s(?:tell|inform|alert|warn)\sthe\suser\b
      | </?\s?(?:system|assistant|user|instructions?|im_start|im_end|relevant-memories|agent-role|user-persona
            |relevant-scenes|current_task_context|history_task_context)\b[^<>]{0,100}>
      | <\|(?:im_start|im_end|system|user|assistant|endoftext)\|> | \[/?INST\] | ^\s*(?:system|assistant)\s?:
      | (?:忽略|无视|忘记|忘掉|不要理会)(?:之前|以上|上面|先前|前面|你|所有|一切|系统|的|全部){1,6}
        (?:指令|提示|规则|指示|要求|内容)
      | (?:以前|これまで|上記|すべて)の(?:すべての)?(?:指示|命令|プロンプト)を?(?:無視|忘れ)
      | (?:이전|위의?|모든)\s?(?:의\s)?(?:모든\s)?(?:지시|명령|프롬프트)(?:사항)?[을를]?\s?(?:무시|잊)""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def reads_like_an_instruction(text: str) -> bool:
    """Tell whether *text* seems to speak to the model that will read it, as injected text does."""
    return _READS_LIKE_ONE.search(text) is not None
