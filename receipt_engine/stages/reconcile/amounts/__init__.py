"""Chooses the other amounts around the total that the search selected.

In: the inputs of the search and the proofs of the total. Out: subtotal, taxes, tip, charges, discounts,
rounding and tenders, and the equations that were checked. An amount that a proof used is taken from it;
otherwise the words decide, when their weight is high enough.
"""
