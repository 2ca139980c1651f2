"""Who sold: the segments of a page, the address block and the weights in, the merchant's name out.

Candidates are runs of one to three segments (`candidates`), cleaned of greetings, store numbers and
ornaments (`text`). Features of a candidate and of the rows that it joins (`features`, `joins`) and fitted
weights decide among them (`choice`); a badly read name takes a better spelling of the page (`repair`).
"""
