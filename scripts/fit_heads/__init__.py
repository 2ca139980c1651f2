"""Fits recogniser heads for scripts whose letters are missing from the official character classes.

    python -m scripts.fit_heads greek vietnamese hangul --lines 12000 --rounds 5

Needs the extras `dev` and `fit`; takes about ten minutes per script to draw and read the lines and one minute
per round to fit, on two processors. The same fonts give the same weights. Writes
`models/text-recognizer-<script>.onnx` and its list of classes.

`texts` samples the printed text, `pictures` draws it as the text detector crops it from a photo, `lines`
computes the features, `network` is the head and its ONNX form, `fitting` the fit by connectionist temporal
classification (CTC; Graves et al. 2006). The backbone is unchanged.
"""
