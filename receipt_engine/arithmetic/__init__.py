"""Checks the arithmetic of printed numbers: quantity × unit price, net, tax and gross, and a misread digit.

In: numbers, or readings of numbers. Out: whether, and how, they belong together. Words are not examined here.
"""
