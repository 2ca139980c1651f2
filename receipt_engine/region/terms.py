"""The terms of the language files: what a word means wherever it stands.

A role says what a row is, and a row's roles compete; terms do not. One line each, in alphabetical order.
"""

from __future__ import annotations

from typing import Literal

Term = Literal[
    "address_label",  # before an address: "Address:", "Anschrift:"
    "arrival",  # before the time at which guests or cars came: "Time in"
    "bank_account",  # a bank account or its bank: "IBAN", "Bankgiro"
    "billing_detail",  # what only a bill that is paid later states: "Payment terms", "Rechnungsdatum"
    "building",  # a building as part of an address: "Tower", "Gedung"
    "bundle_price",  # between a count and the price of all of them: "3 for 5.00"
    "company_number",  # of a register, a permit or a machine, not of the tax office: "HRB", "Licence No"
    "corner",  # where two streets meet: "esq.", "cnr"
    "customer",  # to whom the document is made out: "Bill to", "Kunde"
    "departure",  # before the time at which they left and paid: "Time out"
    "determiner",  # says whose something is, without a name: "our", "the"
    "due_day",  # the day by which to pay: "Due date", "Zahlbar bis"
    "each_price",  # between a count and the price of one: "2 at 1.50"
    "fax",  # a fax machine
    "floor",  # behind the number of a floor: "2nd fl", "3. OG"
    "formerly",  # between a name and the one before it: "formerly known as"
    "founded",  # before the year in which a shop began: "since", "seit"
    "house_suffix",  # behind a house number: "12 bis"
    "invitation",  # before a loyalty programme: "join our", "download the"
    "length",  # a measure in the name of a road: "100 Feet Road"
    "link",  # a word that needs another one behind it: "and", "of the", "de la"
    "number",  # announces a number: "no.", "nr."
    "offer",  # what a shop offers, behind its name: "free delivery"
    "opening",  # says when a shop is open: "open", "geöffnet"
    "owner",  # before the company or person behind a shop: "operated by", "Inh."
    "phone",  # a telephone: "Tel", "Mobil", "SĐT"
    "place_sign",  # an East Asian character that ends the name of a place or a part of an address
    "post_box",  # before the number of a post box: "P.O. Box", "Postfach"
    "postcode_label",  # before a postcode: "ZIP", "CEP"
    "programme",  # a loyalty programme, gift cards or app, behind a shop's name: "Rewards Club"
    "quantity_label",  # announces a count: "Qty", "Menge"
    "registered_office",  # before the address of the company's seat: "Registered office", "siège social"
    "route",  # a street whose number is part of its name: "Route", "Carrera"
    "salutation",  # before a person to whom a letter is addressed: "Herrn", "Madame"
    "sentence",  # a word of sentences and slogans, which names are not made of: "your", "always"
    "service_line",  # telephones of a service, an office or a delivery: "Customer care", "Head office"
    "slip_data",  # technical data of a card slip, the same in every country: "AID", "Auth code"
    "stay",  # a guest's stay: "Arrival", "Check-out", "Nächte"
    "store",  # what a shop is called before its number: "Store #42", "Filiale 7"
    "street",  # a word of street names: "street", "rue", "*gatan"
    "suburb_label",  # before the name of a quarter: "Col.", "Bairro"
    "survey",  # asks for an opinion: "Tell us", "Umfrage"
    "table",  # before the number of a table, a check or guests: "Table 4", "Tisch 7"
    "tax_number",  # before a tax number: "VAT", "NIF"
    "terminal_number",  # the terminal or the merchant at the bank: "TID", "MID"
    "thanks",  # the first half of thanks: "thank you for"
    "till",  # before the number of a till: "Register 3", "Kasse 2"
    "unit",  # a shop, floor or room inside a building: "Unit", "Suite", "Local"
    "until",  # between opening and closing time: "to", "bis"
    "visit",  # the second half of thanks, the name behind it: "shopping at", "Einkauf bei"
    "walk_in",  # a customer who is not named: "Walk-in", "Público general"
    "welcome",  # a welcome, the name behind it: "welcome to", "bienvenue chez"
]
