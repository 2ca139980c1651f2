"""Corrects the list of products by the sums.

In: products, rows and totals. Out: the products that belong to the list. Decides where it ends in a sum
(`inner_sums`), and which further rows (`candidates`), or numbers that have lost their points, a total shows
to be products (`missing`).
"""
