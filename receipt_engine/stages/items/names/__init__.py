"""Gives each amount of the product block its name.

In: the block's rows, each read on its own. Out: the same rows and those that belong to the first and the last
product (`lead`, `own_rows`), with the kinds and words that the till's habits show: names on rows of their own
(`own_rows`, `second_rows`), in a column (`beside_names`) or beside the till's codes (`till_codes`); sizes of
garments and packs (`sizes`), codes of taxes and products (`till_codes`), tax rates, dates and batches
(`beside_names`) are told from names.
"""
