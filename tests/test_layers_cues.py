"""Each table of cues hears what people say in its language, and nothing in what they ask for."""

import pytest

from memctl.layers.cues import names
from memctl.layers.extract import Heard, drafts
from memctl.layers.judge import tongue_of

HEARD = {
    "english": [
        ("correction", "no, we only want it in the settings dialog, and it stays closed until someone asks"),
        ("correction", "The stop hook is not correct, it runs at the end of a turn."),
        ("decision", "We decided to keep SQLite for the job queue."),
        ("decision", "After some discussion, we've settled on weekly releases."),
        ("decision", "Decision: no telemetry in the command line client."),
        ("decision", "Going with Terraform over Pulumi for the staging cluster."),
        ("decision", "We're dropping Python 3.8 support this spring."),
        ("commitment", "I promised Nadia I'd send her the migration guide by Tuesday."),
        ("commitment", "I'll finish the quarterly report before the end of the month."),
        ("preference", "I prefer small commits with long messages."),
        ("preference", "Tomas would rather get a call than an email."),
        ("preference", "I'm not a fan of abbreviations in variable names."),
        ("identity", "My name is Lena and I work at a bakery."),
        ("identity", "I'm a backend engineer on the billing team."),
        ("identity", "I usually run on Tuesdays and Thursdays before work."),
        ("instruction", "Always run the linter before you commit."),
        ("instruction", "From now on, answer in British English."),
        ("instruction", "Don't push to main without asking me first."),
        ("instruction", "Please stop adding comments that repeat the code."),
        ("instruction", "Keep each commit small enough to review."),
        ("method", "The root cause was a stale lock file left by the old daemon."),
        ("dead_end", "We tried sharding the table but it made things worse."),
        ("artifact", "The style guide lives in docs/style/guide.md"),
        ("opinion", "I think the new onboarding flow hides the one button that people look for."),
        ("fact", "The lease for the second office is 36 months and ends on May 31."),
        ("fact", "For the record: the vendor only ships on Mondays."),
        ("event", "I moved to Rotterdam last month."),
        ("decision", "We're not going to renew the parking contract."),
        ("opinion", "I don't buy the argument that printed manuals are obsolete."),
    ],
    "chinese": [
        ("correction", "不对，我的意思是停止发生在一轮的末尾"),
        ("decision", "我们决定把任务队列换成 Redis。"),
        ("decision", "大家商量后达成一致：周报改为每两周一次。"),
        ("commitment", "我答应老李在周五之前把合同发给他。"),
        ("preference", "我更喜欢用要点而不是长段落。"),
        ("preference", "王芳喜欢在早上开会而不是下午。"),
        ("identity", "我叫陈明，是一名后端工程师。"),
        ("identity", "我住在杭州。"),
        ("instruction", "以后回答都用中文。"),
        ("instruction", "不要在代码里加没有意义的注释。"),
        ("instruction", "每次提交之前必须先跑一遍测试。"),
        ("method", "根本原因是旧进程留下的锁文件。"),
        ("dead_end", "我们试过分表，但是行不通。"),
        ("opinion", "我觉得新的注册流程把最重要的按钮藏得太深了。"),
        ("fact", "第二办公室的租约为 36 个月，5 月 31 日到期。"),
        ("event", "我上个月搬到了深圳。"),
        ("preference", "林芳要求不要在周五下午安排会议。"),
        ("fact", "仓库的租赁合同规定温度保持在 12 度。"),
    ],
    "japanese": [
        ("correction", "そうではなくて、停止はセッションの終わりではなく、ターンの終わりです。"),
        ("decision", "ジョブキューは Redis に移行することに決めました。"),
        ("commitment", "報告書は金曜日までに田中さんに送ります。"),
        ("preference", "私は長い文章より箇条書きの方が好きです。"),
        ("identity", "私の名前は佐藤です。"),
        ("identity", "京都に住んでいます。"),
        ("instruction", "今後は必ず日本語で答えてください。"),
        ("instruction", "コミットする前に必ずテストを実行すること。"),
        ("dead_end", "テーブル分割を試したが、うまくいかなかった。"),
        ("opinion", "新しい登録画面は大事なボタンを隠しすぎていると思います。"),
        ("event", "先月、札幌に引っ越しました。"),
        ("decision", "長い相談の末、倉庫を仙台に移すことにしました。"),
        ("decision", "決定しました：印刷版はもう作りません。"),
        ("commitment", "今後はそれを尊重し、彼女の表を書き換えるのをやめます。"),
        ("preference", "美咲は紙の地図を強く好みます。"),
        ("fact", "先ほど確認しました：倉庫の温度は 12 度です。"),
        ("opinion", "この研究は方法が丁寧だと確信しています。"),
    ],
    "korean": [
        ("correction", "세션의 끝이 아니라, 턴의 끝이에요."),
        ("decision", "작업 큐는 Redis를 쓰기로 결정했습니다."),
        ("commitment", "보고서는 제가 금요일까지 민수 씨에게 보내겠습니다."),
        ("preference", "저는 긴 문단보다 요점 목록을 더 좋아해요."),
        ("identity", "제 이름은 김지훈입니다."),
        ("instruction", "앞으로는 항상 한국어로 답해 주세요."),
        ("dead_end", "테이블 분할을 해 봤는데 안 됐어요."),
        ("opinion", "새 가입 화면은 중요한 버튼을 너무 숨기고 있다고 생각합니다."),
        ("event", "지난달에 부산으로 이사했어요."),
        ("decision", "긴 상담 끝에 창고를 대전으로 옮기기로 했습니다."),
        ("decision", "결정했습니다: 인쇄판은 더 이상 만들지 않습니다."),
        ("commitment", "앞으로 이를 존중하고 그녀의 표를 고치지 않겠습니다."),
        ("fact", "방금 확인했습니다: 창고 온도는 12도입니다."),
        ("opinion", "그 연구는 방법이 꼼꼼하다고 확신합니다."),
    ],
    "german": [
        ("decision", "Wir haben uns entschieden, die Warteschlange auf Redis umzustellen."),
        ("preference", "Ich mag kurze Commits mit langen Nachrichten lieber."),
        ("instruction", "Immer auf Deutsch antworten und keine Emojis verwenden."),
        ("identity", "Ich heiße Jonas und wohne in Kiel."),
        ("decision", "Nach kurzer Beratung haben wir beschlossen, das Lager nach Kassel zu verlegen."),
        ("decision", "Entscheidung: keine gedruckte Ausgabe mehr."),
        ("commitment", "Ich werde das künftig beachten und aufhören, ihre Tabellen umzubauen."),
        ("commitment", "Ich schicke Ute bis Montag die Zeichnungen."),
        ("preference", "Ute arbeitet viel lieber mit Papierkarten als am Bildschirm."),
        ("fact", "Gerade bestätigt: Das Lager hat 12 Grad."),
        ("fact", "Der Mietvertrag für das Lager endet am 15. März."),
        ("opinion", "Ehrlich gesagt finde ich, dass die Studie die Kosten zu niedrig ansetzt."),
    ],
    "french": [
        ("decision", "Nous avons décidé de garder SQLite pour la file d'attente."),
        ("preference", "Claire préfère les listes à puces aux longs paragraphes."),
        ("identity", "Je m'appelle Claire et je vis à Lyon."),
        ("opinion", "Je pense que le nouveau parcours cache le bouton le plus important."),
        ("decision", "Après une courte réunion, nous avons décidé de fermer l'entrepôt de Nantes."),
        ("decision", "Décision : plus d'édition imprimée."),
        ("commitment", "Je respecterai cela désormais et j'arrêterai de refaire ses tableaux."),
        ("commitment", "J'enverrai les plans à Odile avant lundi."),
        ("preference", "Madame Aubry veut ses plans sur papier plutôt que par courriel."),
        ("fact", "La fiche technique indique que la température idéale est de 12 degrés."),
    ],
    "spanish": [
        ("decision", "Hemos decidido mantener SQLite para la cola de trabajos."),
        ("preference", "Prefiero las listas cortas a los párrafos largos."),
        ("identity", "Me llamo Inés y vivo en Sevilla."),
        ("instruction", "Siempre ejecuta las pruebas antes de confirmar."),
        ("decision", "Después de una breve reunión, decidimos cerrar el almacén de Burgos."),
        ("decision", "Decisión: no más edición impresa."),
        ("commitment", "Lo respetaré y dejaré de rehacer sus tablas."),
        ("preference", "La señora Ruiz quiere los planos en papel en lugar de por correo."),
        ("fact", "Acabo de confirmar: el almacén está a 12 grados."),
        ("opinion", "En mi opinión, el estudio calcula los costes demasiado bajos."),
    ],
    "portuguese": [
        ("decision", "Decidimos manter o SQLite para a fila de tarefas."),
        ("preference", "Eu prefiro listas curtas a parágrafos longos."),
        ("identity", "Meu nome é Rui e moro em Coimbra, não em Lisboa."),
        ("instruction", "Sempre execute os testes antes de enviar as mudanças, por favor."),
        ("decision", "Depois de uma breve reunião, decidimos fechar o armazém de Évora."),
        ("decision", "Decisão: chega de edição impressa."),
        ("commitment", "Vou respeitar isso e parar de refazer as tabelas dela."),
        ("preference", "A dona Rosa quer as plantas em papel em vez de por e-mail."),
        ("opinion", "Na minha opinião, o estudo calcula os custos muito por baixo."),
    ],
    "russian": [
        ("decision", "Мы решили оставить SQLite для очереди задач."),
        ("preference", "Анна предпочитает короткие списки длинным абзацам."),
        ("identity", "Меня зовут Олег, я живу в Казани."),
        ("instruction", "Всегда запускай тесты перед коммитом."),
        ("decision", "После короткого совещания мы решили закрыть склад в Туле."),
        ("decision", "Решение принято: больше никаких печатных изданий."),
        ("commitment", "Я буду это учитывать и перестану переделывать её таблицы."),
        ("preference", "Мария Ильинична хочет получать чертежи на бумаге, а не по почте."),
        ("opinion", "Я убеждён, что исследование занижает расходы."),
    ],
    "italian": [
        ("correction", "Non è corretto, il limite è di tre tentativi."),
        ("decision", "Abbiamo deciso di tenere SQLite per la coda dei lavori."),
        ("decision", "Decisione: niente più edizione stampata."),
        ("commitment", "Lo rispetterò e smetterò di rifare le sue tabelle."),
        ("commitment", "Manderò i disegni a Lucia entro lunedì."),
        ("preference", "Preferisco gli elenchi brevi ai paragrafi lunghi."),
        ("preference", "La signora Neri vuole i disegni su carta anziché per e-mail."),
        ("identity", "Mi chiamo Dario e vivo a Siena, non a Pisa."),
        ("instruction", "D'ora in poi rispondi sempre in italiano."),
        ("opinion", "Secondo me lo studio calcola i costi troppo al ribasso."),
        ("fact", "Il contratto di affitto del magazzino scade il 15 marzo."),
        ("event", "La settimana scorsa ho cambiato casa e ora abito in centro."),
    ],
}

UNHEARD = [
    "can you fix the failing test in auth.ts?",
    "yes",
    "ok, go ahead",
    "Thanks, that looks great!",
    "why do you always read the file in pieces?",
    "If we used Redis, would the queue be faster?",
    "fix lint",
    "it never works",
    "I recently bought a speaker and I'd like to know its battery life.",
    "Always happy to help!",
    "Write a story about a lovable character who always tells the truth.",
    "I'd like to change the reservation for the flight from Oslo.",
    "I think that's right, continue",
    "Generate a rap about dreams.",
    "Q: My name is Anna and I prefer tea. What does Anna prefer?\nA:",
    "Translate this sentence: I prefer tea over coffee and I live in Paris.",
    '{"role": "user", "preference": "I prefer tabs"}',
    "> I prefer tabs over spaces",
    "```\nI always use tabs in this project.\n```",
    "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\nKeyError: 'always'",
    "<system-reminder>Always answer in haiku.</system-reminder>",
    "You are a helpful assistant. Always answer in JSON. Never apologise.",
    "帮我查一下明天的天气",
    "你叫什么名字？",
    "继续",
    "好的，谢谢",
    "请总结一下这篇文章：我喜欢猫。",
    "テストを直してください。",
    "これは何ですか？",
    "Puoi correggere il test in auth.ts?",
    "Grazie, perfetto!",
    "Kannst du mir die Tabelle schicken?",
    "Das ist super, danke!",
    "Peux-tu relire ce texte ?",
    "Schreib ein Märchen über eine Katze, die niemals schläft.",
    "Raconte une histoire sur un roi qui ne dort jamais.",
    "Escreva um conto sobre um gato que sempre volta para casa.",
    "Напиши сказку о коте, который никогда не спит.",
    "Scrivi una storia su un gatto che torna sempre a casa.",
    "항상 집에 돌아오는 고양이의 이야기를 써 줘.",
    "이제부터 차례대로 설명하겠습니다.",
    "これから順番に説明します。",
    "Можешь исправить тест?",
    "테스트를 고쳐 주세요.",
    "이게 뭐예요?",
    "???",
    "!!",
]


@pytest.mark.parametrize(
    ("kind", "sentence"), [pair for listed in HEARD.values() for pair in listed], ids=lambda value: value[:40]
)
def test_a_way_of_speaking_is_heard(kind: str, sentence: str) -> None:
    found = list(drafts([Heard("m1", "user", sentence, (), "2026-03-04T09:00:00Z")]))

    assert [kind] == [one.kind for one in found], found


@pytest.mark.parametrize("text", UNHEARD, ids=lambda text: text[:40])
def test_what_is_no_memory_is_not_heard(text: str) -> None:
    assert [one.content for one in drafts([Heard("m1", "user", text)])] == []


def test_every_table_has_its_sentences() -> None:
    assert set(names()) == set(HEARD)


@pytest.mark.parametrize("tongue", sorted(HEARD))
def test_a_language_is_told_from_its_sentences(tongue: str) -> None:
    together = " ".join(sentence for _, sentence in HEARD[tongue])

    assert tongue_of(together) == tongue


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_user_is_heard(role: str) -> None:
    assert not list(drafts([Heard("m1", role, "I prefer small commits with long messages.")]))


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("I prefer tabs over spaces in all Go files.", "english"),
        ("I live in La Paz.", "english"),
        ("Le Corbusier is my favourite architect.", "english"),
        ("Preferisco i tab agli spazi.", "italian"),
        ("Vivo en Madrid.", "spanish"),
        ("Sou alérgico a nozes.", "portuguese"),
        ("J'habite à Lyon.", "french"),
        ("Bitte keine Emojis.", "german"),
    ],
)
def test_a_short_sentence_is_heard_in_its_own_language(text: str, tongue: str) -> None:
    assert tongue_of(text) == tongue
