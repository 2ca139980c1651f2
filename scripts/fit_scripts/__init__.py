"""Fits the reader of scripts that the shipped recogniser's features do not carry, on drawn lines.

    python -m scripts.fit_scripts texts TEXTS
    python -m scripts.fit_scripts fit TEXTS WEIGHTS --minutes 20 --processes 15
    python -m scripts.fit_scripts write WEIGHTS

`texts` throws what is printed, `fit` draws it without end in some processes and learns from what is drawn (on
a GPU where there is one), `write` makes `models/text-recognizer-scripts.onnx` of the weights. Needs the extra
`dev` and PyTorch, `texts` also `fit`.

`classes` says what is read, `drawing` draws lines, `network` is the reader, `fitting` the fit by
connectionist temporal classification (CTC), `exporting` its ONNX form. Words, fonts and pictures are those
of `scripts.fit_heads`.
"""
