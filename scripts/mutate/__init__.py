"""Mutation testing: small faults are put into the code, and the tests should notice them.

python -m scripts.mutate map                              which test runs which line: first, and after changes
python -m scripts.mutate code reconcile assemble parse    faults in the code of functions
python -m scripts.mutate constants                        constants of all stages, doubled and halved
python -m scripts.mutate count                            number of constants

mutmut 3 does not mutate code outside functions, and cosmic-ray runs one command for every mutant; both write
into the checkout. Here mutants are sampled with a seed, never written to disk, and only tests that run the
changed line are run, those of the file's own folder first, so that a mutant takes seconds.
"""
