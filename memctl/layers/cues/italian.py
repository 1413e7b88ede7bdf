"""How people say it in Italian."""

from memctl.layers.cues.shape import Cue, Language, measure

# What the work of the moment is about: a statement on it is no lasting fact.
_AT_HAND = "errori?|test|righe?|file|codice|funzion[ei]|risultat[oi]|problema|risposta|somma|numero|build"
_MEASURE = measure(
    "italian",
    "gradi|per ?cento|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|minut[oi]|euro|person[ae]|post[io]|volte|litri|metri",
)

LANGUAGE = Language(
    name="italian",
    openings=r"(?:(?:ok|va bene|sì|no|allora|dunque|e|ma|però|comunque|a proposito|tra l'altro|onestamente|sinceramente|francamente|in realtà|a dire il vero|nota|promemoria|per la cronaca|per informazione|confermato|(?:ho )?appena confermato)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction",
            r"^(?:non è (?:così|corretto|giusto|vero)|è sbagliato|è errato)[,.:]\s*(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "decision",
            r"^(?:dopo [^,.]{3,40}?,? )?(?:(?:ho|abbiamo) )(?:deciso|concordato|stabilito|scelto|convenuto)(?: insieme)?(?: che (?:noi )?| di | per )(?=\w)",
            "{rest}",
        ),
        Cue("decision", r"^decisione(?: \w+){0,3}\s?:\s*", "{rest}"),
        Cue(
            "decision",
            r"^(?:ho|abbiamo) (?:deciso|concordato|stabilito|scelto|optato|convenuto)\b.{4,}|^(?:passiamo|passeremo|cambiamo|adottiamo|abbandoniamo|niente più|basta con|non useremo più)\b.{4,}",
        ),
        # for good
        Cue(
            "commitment",
            r"^(?=.{0,100}\b(?:d'ora in poi|da (?:adesso|ora) in poi|in futuro)\b)(?:d'ora in poi |in futuro )?(?:non |lo |la |li |le )*\w+(?:rò|remo)\b.{8,}",
            "{whole}",
        ),
        Cue(
            "commitment",
            r"^(?:gli |le )?(?:ho|abbiamo) promesso\b.{4,}|^mi impegno a .{4,}|^(?:\w+rò|\w+remo|devo|dobbiamo) .{4,}\b(?:entro|prima di|domani|lunedì|martedì|mercoledì|giovedì|venerdì|fine)\b",
        ),
        Cue(
            "preference",
            r"^(?!lui\b|lei\b|io\b|questo\b)(?:la signora |il signor |la |il )?[a-zàèéìòù][\w'-]*(?: [\w-]+)? (?:vuole|desidera|chiede|insiste) .{3,120}\b(?:anziché|invece di|piuttosto che|sempre|solo|soltanto)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!è\b|questo\b|quello\b)(?:io )?(?:preferisco|preferiamo|mi piac\w+|amo|adoro|odio|detesto)\b.{3,}|^(?!è\b|questo\b|quello\b)[a-zàèéìòù][\w'-]*(?: [\w-]+)? (?:preferisce|preferiscono|ama|adora|odia|detesta|preferirebbe)\b.{3,}",
        ),
        Cue(
            "identity",
            r"^(?:mi chiamo|il mio nome è|abito a|vivo a|lavoro (?:come|per|in|da)|sono (?:di|un|una|ingegner\w+|sviluppat\w+|student\w+|allergic\w+)|(?:mia|mio) (?:moglie|marito|figlia|figlio)|il mio (?:cane|gatto|compleanno|indirizzo)) ?.{2,}",
        ),
        Cue(
            "instruction",
            r"^(?:per favore,? )?(?:sempre|mai|d'ora in poi|da adesso in poi|in futuro|per impostazione predefinita|non \w+ mai)\b.{4,}|^.{2,80}\b(?:sempre|non .{1,30} mai)\b.{3,}$|^rispondi.{0,30}in (?:italiano|inglese)",
        ),
        Cue(
            "opinion",
            r"^(?:(?:io )?(?:penso|credo|ritengo|trovo) che |(?:secondo me|a mio avviso|a mio parere|per me),? )(?=.{20,})",
            "{rest}",
        ),
        Cue("opinion", r"^(?:sono (?:scettic\w+|convint\w+)|la mia opinione)\b.{15,}"),
        # what is ours, or has a name or an article, and is measured
        Cue(
            "fact",
            rf"^(?:il|lo|la|i|gli|le|l'|(?:il |la |i |le )?(?:nostr|mi)[oaei]+)(?:(?<=')| )(?!(?:{_AT_HAND})(?!\w))[^,;?!]{{2,90}}? (?:è|sono|sarà|ha|hanno|dura|durano|costa|costano|inizia|iniziano|comincia|finisce|scade|scadono|indica|risale|risalgono|apr(?:e|ono)|chiud(?:e|ono)|pesa|contiene|vale|terminano?)(?!\w)[^?!]{{0,60}}?{_MEASURE}",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:ieri|l'altro ieri|la settimana scorsa|il mese scorso|l'anno scorso|\w+ (?:giorni|settimane|mesi|anni) fa|stamattina)\b).{0,40}\b(?:ho|abbiamo|sono|siamo)\b.{4,}",
        ),
    ),
    request=r"^(?:per favore|puoi|potresti|può|aiutami|aiuta|mostra|dammi|scrivi|crea|aggiungi|trova|spiega|traduci|voglio|vorrei|ho bisogno)\b",
    refuses=r"\bno\b",
    opines="onestamente|sinceramente|francamente",
    announces=r"nota|promemoria|cronaca|informazione|conferm",
    question=r"\?\s*$",
    hypothetical=r"^(?:se|supponiamo|forse|magari)\b",
    pointing=r"^(?:questo|questa|quello|quella|questi|quelli|ciò|lui|lei|loro|esso|essa|qui|lì|è)\b(?! (?:anno|mese|settimana|progetto))",
    follows=(
        ("decision", r"^(?:da quest'?\w*|dal\b|dalla\b|invece|solo|soltanto|inoltre)"),
        ("opinion", r"^(?!è solo|è soltanto)\w"),
        ("commitment", r"^(?:attualmente|altrimenti|l'obiettivo)\b"),
    ),
    absolute=r"\b(?:in nessun caso|per nessun motivo|mai e poi mai|senza eccezioni)\b",
    stressed=r"\b(?:sempre|mai|importante|obbligatorio|assolutamente|decisamente)\b",
    person=r"^(?:lei|lui)(?= )",
    named=r"^([A-ZÀÈÉÌÒÙ][\w-]+)(?= [a-zàèéìòù])",
    unsure=r"\bnon (?:sono )?(?:del tutto |proprio )?sicur[oa]\b|\bpotrebbe essere\b|\bnon (?:so|ricordo)\b|\bbella idea\b|\bbuona (?:idea|domanda)\b",
    personal=r"(?:io|noi|tu|voi|mi[oa]|tu[oa])\b",
    makes_up=r"^(?:scrivi|racconta|inventa)\b.{0,40}?\b(?:storia|poesia|racconto|canzone|favola)\b",
    dictated=r"^[^:]{0,80}\b(?:scrivi|scrivete|metti|titolo|oggetto|traduci|testo|frase)\b[^:.]{0,40}:\s?\S",
    binding=r"\b(?:entro|prima di|d'ora in poi|in poi|in futuro|ogni)\b|promess|impegn",
    until=" al ",
)
