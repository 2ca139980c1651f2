"""Sums that tills print, on numbers alone: what multiplies to what, and how tax, net and gross hang together.

In: numbers, or readings of numbers. Out: whether, and how, they belong together; nothing here looks at words.
"""
