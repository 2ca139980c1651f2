"""When an answer counts as right, and what a number of right answers is worth."""
