"""What positions look like in a picture of their own: pure functions from a state to SVG, one file a game.

A file has `size(state)`, the width and height of its drawing, and `draw(state, outcome)`, what is in it, the
outcome being None while the match goes on. Colours are the tokens of the site, as in the boards of the
browser: `var(--wood)`. There are no letters in a picture, since fonts differ from computer to computer;
numbers are drawn (`shapes.number`). `ICON` is what stands for the game beside its name, as strokes on a
square of 24 by 24.

A picture has the shapes of the small boards of the browser, so that nothing jumps where one follows the
other. Both are drawn from one plan (`plans`); a test compares them shape by shape.

A file may have `sample(start)`: a position, with its outcome, that shows better than the start of a match
what its rules are like.
"""
