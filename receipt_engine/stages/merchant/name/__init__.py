"""Finds the merchant's name: a page's segments, the address block and the weights -> the name.

Candidates are runs of one to three segments (`candidates`), cleaned of greetings, store numbers and ornaments
(`text`). Features of a candidate and of the rows that it joins (`features`, `joins`) and fitted weights rank
them (`choice`); malls, markets and banks are none (`beside`). A badly read name takes a better spelling from
elsewhere on the page (`repair`).
"""
