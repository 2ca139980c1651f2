"""One module a protocol: each turns a `Study` into tables."""
