"""The compiled kernel of Nine Men's Morris against the rules: moves, mills, takes and ends of positions."""

from random import Random

from games.bots import morris as player
from games.bots import morris_kernel as kernel
from games.rules import morris
from games.rules.base import BadOptions, choices_of
from games.rules.morris import EMPTY, MEN, PRESETS, Options, State
from games.rules.morris_boards import BOARDS
from tests.helpers.samples import sample

POSITIONS = sample(20_000, 4_000)
SETS = 40
"""Option sets that are drawn, on top of the presets."""


def drawn(rng):
    """Any options that make sense together."""
    while True:
        options = Options(**{choice.name: rng.choice(choice.choices) for choice in choices_of(Options)})
        try:
            morris.setup(options)
        except BadOptions:
            continue
        return options


def scattered(options, rng):
    """Any men on any points, in the middle of a match, perhaps with a man to take."""
    size = len(BOARDS[options.board].points)
    hand = (0, 0)
    if rng.random() < 0.5:
        left = rng.randint(1, options.men)
        hand = rng.choice([(left, left), (left, left - 1), (left - 1, left)])
    men = [rng.randint(max(0, 3 - held), options.men - held) for held in hand]
    board = [*MEN[0] * men[0], *MEN[1] * men[1]]
    board += EMPTY * (size - len(board))
    rng.shuffle(board)
    state = State(options, rng.randint(0, 1), "".join(board), hand, quiet=rng.choice((0, 7, 98, 99)))
    if EMPTY not in board or not morris.legal_moves(state):
        return scattered(options, rng)
    taking = State(options, state.turn, state.board, hand, takes=rng.randint(1, options.double_mill))
    return taking if rng.random() < 0.3 and morris.legal_moves(taking) else state


def walked(options, rng):
    """The positions of a game in which men often go back to where they came from."""
    state, before = morris.setup(options, 2, rng.randint(0, 1)), {}
    while state.ended is None:
        yield state
        moves = morris.legal_moves(state)
        back = before.get(state.turn)
        move = back if back in moves and rng.random() < 0.6 else rng.choice(moves)
        before[state.turn] = morris.Move(move.to, move.start)
        state = morris.play(state, move).state


def positions(options, number, rng):
    """Half of them from games, half scattered."""
    found = 0
    while found < number // 2:
        for state in walked(options, rng):
            yield state
            found += 1
    for _ in range(number - number // 2):
        yield scattered(options, rng)


def end_of(state):
    """How a state stands for the seat on turn, in the kernel's words."""
    if state.ended is None:
        return kernel.GOES_ON
    if len(state.ended.winners) == 2:
        return kernel.DRAWN
    assert state.turn not in state.ended.winners
    return kernel.LOST


def compare(state, memory, rng):
    """Hold the moves of a position, one of the positions after it and its end against the rules.

    Returns the reason for which the match ended there, if it did.
    """
    options, table = state.options, player.table(state.options)
    player.remember(memory, state)
    frame, below, codes = memory.frames[0], memory.frames[1], memory.moves[0]
    legal = {player.code(options, move): move for move in morris.legal_moves(state)}
    number = kernel.moves_of(table, frame, codes)
    assert sorted(codes[:number].tolist()) == sorted(legal), state
    chosen = rng.choice(sorted(legal))
    after = morris.play(state, legal[chosen]).state
    kernel.play(table, frame, chosen, below)
    expected = player.position(after)
    if not options.threefold:
        # The kernel counts slides all the same, to know a position that its search comes back to.
        expected[kernel.SLIDES] = below[kernel.SLIDES]
    assert below[: kernel.POSITION].tolist() == expected, (state, legal[chosen])
    if after.takes:
        return None
    below[kernel.PATH] = frame[kernel.PATH] + 1
    memory.path[below[kernel.PATH]] = below[kernel.ME] | below[kernel.OTHER] << 24
    times = kernel.occurred(memory, below, kernel.GAME)
    if not options.threefold:
        times = 0
    assert kernel.ending(table, below, times) == end_of(after), (state, legal[chosen])
    return after.ended and after.ended.reason


def test_moves_mills_takes_and_ends_are_those_of_the_rules():
    rng, memory, reasons = Random(4), kernel.memory(), set()
    sets = [*PRESETS.values(), *(drawn(rng) for _ in range(SETS))]
    for options in sets:
        for state in positions(options, POSITIONS // len(sets) + 1, rng):
            reasons.add(compare(state, memory, rng))
    assert reasons == {None, "reduced", "blocked", "full", "repetition", "fifty"}
