"""How people say it in French."""

from memctl.layers.cues.shape import Cue, Language, measure

# What the work of the moment is about: a statement on it is no lasting fact.
_AT_HAND = (
    "erreurs?|tests?|lignes?|fichiers?|code|fonctions?|sortie|résultats?|problème|réponse|somme|nombre|build"
)
_MEASURE = measure(
    "french",
    "degrés?|pour ?cent|jours?|semaines?|mois|ans?|années?|heures?|minutes?|euros?|personnes?|places?|fois|litres?|mètres?",
)

LANGUAGE = Language(
    name="french",
    openings=r"(?:(?:ok|oui|non|donc|et|mais|au fait|honnêtement|franchement|en fait|note|info|rappel|pour info|confirmé|je viens de confirmer|alors)(?:\s*[,.!:]+\s*|\s+(?=\w)))",
    cues=(
        Cue(
            "correction",
            r"^(?:ce n'est pas (?:ça|correct|exact)|c'est faux)[,.:]\s*(?=\w+ \w+ \w+)",
            "{rest}",
        ),
        Cue(
            "decision",
            r"^(?:après [^,.]{3,40}, )?(?:j'ai|nous avons|on a) (?:finalement |enfin |tous )?(?:décidé|convenu|choisi|opté|tranché)(?: ensemble)?(?: que (?=nous |on |je |j')| qu'(?=on )| de | d'| pour )",
            "{rest}",
        ),
        Cue("decision", r"^décision(?: \w+){0,3}\s?:\s*", "{rest}"),
        Cue(
            "decision",
            r"^(?:j'ai|nous avons|on a|c'est)? ?(?:décidé|convenu|choisi|opté|tranché)\b.{4,}|^(?:nous|on) (?:passons?|passe|migrons|abandonnons|adoptons)\b.{4,}|^(?:plus de|fini les?) .{4,}",
        ),
        # for good
        Cue(
            "commitment",
            r"^(?=.{0,100}\b(?:désormais|dorénavant|à l'avenir|à partir de maintenant)\b)(?:je |j'|nous )(?:ne )?(?:vais|allons|\w+r(?:ai|ons))\b.{8,}",
            "{whole}",
        ),
        Cue(
            "commitment",
            r"^(?:j'ai|nous avons)? ?(?:promis|je m'engage|je me suis engagée?)\b.{4,}|^je m'engage à .{4,}|^(?:je |j'|nous )(?:vais|allons|\w+rai|\w+rons)\b.{4,}\b(?:d'ici|avant|demain|lundi|mardi|mercredi|jeudi|vendredi|fin|la semaine)\b",
        ),
        Cue(
            "preference",
            r"^(?!il\b|elle\b|je\b|nous\b|ça\b)(?:madame |monsieur |mme |m\. )?[a-zàâéèêîôû][\w'-]*(?: [\w-]+)? (?:veut|souhaite|demande à|tient à|aime mieux) .{3,120}\b(?:plutôt que?|plutôt qu'|au lieu d|toujours|seulement|uniquement)\b.{2,}",
        ),
        Cue(
            "preference",
            r"^(?!il y|c'est|cela|ça)[a-zàâéèêîôû][\w'-]*(?: [\w-]+)? (?:préfèr\w+|préfér\w+|aime\w*|déteste\w*|adore\w*|aimerait mieux)\b.{3,}",
        ),
        Cue(
            "identity",
            r"^(?:je m'appelle|mon nom est|j'habite|je vis|je travaille (?:comme|chez|à)|je suis (?:un|une|ingénieur\w*|développeu\w+|étudiant\w*|allergique|né\w*)|(?:mon|ma|mes) (?:femme|mari|fille|fils|chien|chat|anniversaire|adresse) )",
        ),
        Cue(
            "instruction",
            r"^(?:s'il te plaît |merci de )?(?:toujours|jamais|ne \w+ jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|par défaut)\b.{4,}|^.{2,80}\b(?:toujours|ne .{1,30} jamais)\b.{3,}$|^réponds? .{0,30}en (?:français|anglais)",
        ),
        Cue(
            "opinion",
            r"^(?:je (?:pense|crois|trouve|considère) (?:que |qu'(?=\w))|(?:à mon avis|selon moi|d'après moi|à mon sens),? )(?=.{20,})",
            "{rest}",
        ),
        Cue(
            "opinion",
            r"^(?:je (?:pense|crois|trouve)|mon avis|je suis (?:sceptique|convaincue?))\b.{20,}",
        ),
        # what is ours, or has a name or an article, and is measured
        Cue(
            "fact",
            rf"^(?:le|la|les|l'|notre|nos|mon|ma|mes)(?:(?<=')| )(?!(?:{_AT_HAND})(?!\w))[^,;?!]{{2,90}}? (?:est|sont|sera|a|ont|dure|durent|coûte|coûtent|commence|commencent|finit|expire|expirent|indique|remonte|remontent|ouvre|ouvrent|ferme|ferment|pèse|contient|prend|vaut|se terminent?)(?!\w)[^?!]{{0,60}}?{_MEASURE}",
        ),
        Cue(
            "event",
            r"^(?=.{0,120}\b(?:hier|avant-hier|la semaine dernière|le mois dernier|l'année dernière|il y a \w+ (?:jours?|semaines?|mois|ans?)|ce matin)\b).{0,40}\b(?:j'ai|je suis|nous avons|nous sommes|on a)\b.{4,}",
        ),
    ),
    request=r"^(?:s'il te plaît|s'il vous plaît|peux-tu|pouvez-vous|pourrais-tu|aide|montre|donne|écris|crée|ajoute|trouve|explique|traduis|je (?:voudrais|veux|souhaite|cherche))\b",
    refuses=r"\bnon\b",
    opines="honnêtement|franchement",
    announces=r"note|info|rappel|confirm",
    question=r"\?\s*$",
    hypothetical=r"^(?:si|s'il|supposons|peut-être)\b",
    pointing=r"^(?:il|elle|ils|elles|cela|ça|c'est|ce|cette|celui|ici|là)\b",
    follows=(
        ("decision", r"^(?:à partir|dès|désormais|dorénavant|uniquement|seulement)\b"),
        ("opinion", r"^(?!c'est (?:juste|seulement)|ce n'est (?:que|qu'))\w"),
        ("commitment", r"^(?:actuellement|sinon|l'objectif)\b"),
    ),
    absolute=r"\b(?:en aucun cas|absolument jamais|sans exception|jamais de la vie)\b",
    stressed=r"\b(?:toujours|jamais|absolument|important|impératif|obligatoire|fortement)\b",
    person=r"^(?:elle|il)(?= (?!y a|faut))",
    named=r"^([A-ZÀÉÈ][\w-]+)(?= [a-zàé])",
    unsure=r"\bpas (?:vraiment |tout à fait )?(?:sûre?|certaine?)\b|\bpourrait être\b|\bje ne sais pas\b|\bbonne (?:idée|question)\b",
    personal=r"(?:j'|(?:je|nous|tu|vous|mon|ma|mes|ton|ta|tes|votre|vos)\b)",
    makes_up=r"^(?:écris|raconte|invente)\b.{0,40}?\b(?:histoire|poème|conte|chanson)\b",
    dictated=r"^[^:]{0,80}\b(?:écris|écrivez|mets|titre|objet|traduis|texte|phrase)\b[^:.]{0,40}:\s?\S",
    binding=r"\b(?:avant|d'ici|désormais|dorénavant|à l'avenir|chaque)\b|promis|engage",
    until=" au ",
)
