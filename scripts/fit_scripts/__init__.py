"""Fits the recogniser for scripts that the shipped recogniser's features do not carry, on drawn lines.

    python -m scripts.fit_scripts texts TEXTS
    python -m scripts.fit_scripts fit TEXTS WEIGHTS --minutes 20 --processes 15
    python -m scripts.fit_scripts write WEIGHTS

`texts` samples the texts, `fit` draws them continuously in several processes and trains on them (on a GPU
where there is one), `write` makes `models/text-recognizer-scripts.onnx` from the weights. Needs the extra
`dev` and PyTorch, `texts` also `fit`.

`classes` defines the scripts and character classes, `slips` samples rows as receipts have them, `drawing`
draws lines, `worsening` makes some look as in poorer photographs, `network` is the recogniser, `fitting` the
fit by connectionist temporal classification (CTC), `exporting` its ONNX form, from which `restoring` gets the
network back. Other rows, words, fonts and images are those of `scripts.fit_heads`.
"""
