"""Checks the arithmetic of printed numbers: quantity × unit price, and net, tax and gross.

In: numbers, or readings of numbers. Out: whether, and how, they belong together. Words are not examined here.
"""
