"""What the other amounts are, around the total that won.

In: the inputs of the search and the proofs of the total. Out: subtotal, taxes, tip, charges, discounts,
rounding and tenders, and the equations that were checked. An amount that a proof used is taken from it; else
words decide, when they are sure enough.
"""
