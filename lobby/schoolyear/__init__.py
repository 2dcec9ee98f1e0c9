"""The end of a class: archived without names or erased, by a press or when nobody uses it any more."""
