"""Words of sentences and slogans: what a shop says of itself, which is not its name."""

from __future__ import annotations

#: Function words, and imperatives of slogans, of the languages that receipts are most often in; words that
#: names are made of too ("the", "of", "best", "fresh") are left out.
_LIST_SENTENCE_WORDS = """
your our you we us is are be for with without what whats all every this that it its more most always get
save take see have here now please not no never from when if live less inside better let lets decide make
makes just only until since who they them there than ihr ihre wir sie und mein wer wers was nicht mehr
immer alles selber mit fur dein deine unser unsere su sus con para mas siempre nuestro nuestra tu votre
vos nous vous pour avec sans toujours notre jusqu plus voor met onze jouw altijd per tuo tua nostro
sempre seu sua nosso com
"""
_SENTENCE_WORDS = frozenset(_LIST_SENTENCE_WORDS.split())


def sentence_words(text: str) -> int:
    """How many words of a text are those of sentences rather than of names.

    >>> sentence_words("You'll always pay less here")
    3
    """
    words = (word.strip(".,!?:;'’").replace("'", "").replace("’", "").lower() for word in text.split())
    return sum(word in _SENTENCE_WORDS for word in words)
