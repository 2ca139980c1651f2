"""Fits heads of the recogniser for scripts whose letters its official classes lack.

    python -m scripts.fit_heads greek vietnamese hangul --lines 12000 --rounds 5

Needs the extras `dev` and `fit`; takes about ten minutes a script to draw and read the lines and one minute
a round to fit, on two processors. The same fonts give the same weights. Writes
`models/text-recognizer-<script>.onnx` and its list of classes.

`texts` throws what is printed, `pictures` draws it as a text detector cuts it out of a photo, `lines` reads
the features, `network` is the head and its ONNX form, `fitting` the fit by connectionist temporal
classification (CTC; Graves et al. 2006). The backbone stays as it is.
"""
