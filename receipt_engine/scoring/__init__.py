"""How sure is sure: the levels that stages compare weights with."""
