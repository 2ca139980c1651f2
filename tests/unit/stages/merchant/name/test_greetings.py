"""Sentences that carry a merchant's name."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.name.greetings import greeting_end, name_before_programme


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Welcome to Corner Deli", "Corner Deli"),
        ("THANK YOU FOR SHOPPI IG AT CORNER & DELI", "CORNER & DELI"),
        ("Thenk you for choosing Corner Deli", "Corner Deli"),
        ("Danke für Ihren Einkauf bei Kupferkessel", "Kupferkessel"),
        ("Merci de votre visite chez Le Chaudron", "Le Chaudron"),
        ("Gracias por su compra en La Olla", "La Olla"),
        ("Tack för besöket hos Kitteln", "Kitteln"),
    ],
)
def test_the_name_behind_a_greeting(text: str, name: str) -> None:
    assert text[greeting_end(text) :] == name


@pytest.mark.parametrize(
    "text",
    [
        "Thank you",
        "Thanks and come again soon",
        "Welcome Break Services",
        "Corner Deli",
        "Thai Garden",
        "Herzlichen Dank für Ihren Besuch",
    ],
)
def test_no_greeting_with_a_name(text: str) -> None:
    assert greeting_end(text) == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Corner Deli's Loyalty Program", "Corner Deli's"),
        ("Join the Corner Deli Rewards Club today", "Corner Deli"),
        ("Download the Copper Kettle app", "Copper Kettle"),
        ("Copper Kettle Gift Cards make great presents", "Copper Kettle"),
        ("Join our rewards program", ""),
        ("My Rewards Card", ""),
        ("Earn rewards points", ""),
        ("Loyalty card 1234", ""),
        ("Crab apples 1.20", ""),
    ],
)
def test_the_name_of_a_programme(text: str, name: str) -> None:
    assert name_before_programme(text) == name
