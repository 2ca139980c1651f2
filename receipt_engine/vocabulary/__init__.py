"""The one room that folds, tokenises and matches words.

In: printed text and the words of `regions/`. Out: keys, tokens, and the roles, labels, places and legal forms
found in a text, each with its offsets. It decides what a word may mean; what a row is, stages decide.
"""
