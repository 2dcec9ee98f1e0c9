"""The computer player of Kalah: how its levels differ, and what it says of a position.

The first two levels only count seeds (`kalah_levels`). The next ones look some turns ahead and no further,
and slip now and then. The highest searches deeper and deeper (iterative deepening) until the game is proved
or its positions are spent. `games.bots.kalah_kernel` searches, which brings a compiler along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from random import Random
from typing import NamedTuple

from games.bots import kalah_solver, kalah_tables
from games.bots.base import LONGEST_LINE, Evaluation, MoveEvaluation
from games.bots.kalah_kernel import INFINITE, SEED, SOLVED, WON, Tree, packed, seeds_in_pits, sow
from games.bots.kalah_levels import LEVELS
from games.rules.kalah import SWAP, Move, State, legal_moves, stores


class Skill(NamedTuple):
    """What a level below the highest can do.

    Attributes:
        turns: how many it looks ahead, its own being the first.
        slips: the chance that it sows from any pit instead.
        near: moves that it finds this close to the best, in seeds, are all the same to it.
    """

    turns: int
    slips: float
    near: float = 0.0


SKILLS = (
    Skill(2, 0.36, 0.25),
    Skill(2, 0.04, 0.25),
    Skill(3, 0.07, 0.25),
    Skill(4, 0.03, 0.25),
    Skill(5, 0.0, 1.0),
)
"""Of the levels that look ahead, but for the highest."""
POSITIONS = 3_000_000
"""What the highest level visits for a move, at most: about 0.4 s."""
POSITIONS_OF_A_GLANCE = 1 << 17
"""The same for the levels below, which seldom get there before they have looked ahead as far as they do."""
POSITIONS_OF_A_LOOK = 5_000_000
"""The same for a look, which wants the value of every move and not of the best alone."""
CERTAINTY, FADING = 1.5, 26
"""How a lead is turned into a share of the win: logistic, the steeper the fewer seeds are left in the pits.

A seed counts `CERTAINTY * exp(-left / FADING)`. From 1,800 estimates in games of the highest level against
itself that began with some random moves, on the three presets.
"""


class Branch(NamedTuple):
    """A move and the position it leads to, as whoever is on turn then sees it.

    Attributes:
        again: whether that is the seat that made the move.
        may_swap: whether the other seat may swap sides once its turn comes.
    """

    move: Move
    own: int
    their: int
    again: bool
    may_swap: bool


@dataclass(frozen=True, slots=True)
class Root:
    """The moves of a position, and what there is to search them with."""

    tree: Tree
    branches: list[Branch]

    def value(self, branch: Branch, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """What a move is worth to the seat that makes it, as `games.bots.kalah_kernel.search` tells it."""
        if branch.may_swap:
            return self._before_swapping(branch, depth)
        if branch.again:
            return self.tree.value(branch.own, branch.their, depth, alpha, beta)
        return -self.tree.value(branch.own, branch.their, depth - 1, -beta, -alpha)

    def _before_swapping(self, branch: Branch, depth: int) -> int:
        """The value where the other seat will choose the better side."""
        if not branch.again:
            return -abs(self.tree.value(branch.own, branch.their, depth - 1))
        # A first turn leads to twenty positions at most, on any board.
        following = _sowings(self.tree, branch.own, branch.their, may_swap=True)
        return max(self.value(branch, depth) for branch in following)


class Best(NamedTuple):
    """What a search found: the best move, its value, and whether no estimate went into that."""

    move: Move
    value: int
    exact: bool


def choose(state: State, level: int, effort: float, rng: Random) -> Move:
    """A legal move for the seat on turn, see `games.bots.base.Player`."""
    if simple := LEVELS[level - 1].choose:
        move: Move = simple(state, rng)
        return move
    moves = legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    if level == len(LEVELS):
        return _thoroughly(state, int(POSITIONS * effort) + 1, rng)
    # Counted from the highest down.
    skill = SKILLS[level - len(LEVELS)]
    if rng.random() < skill.slips:
        return rng.choice(moves)
    return _quickly(state, skill, rng)


def look(state: State, seats: int, rng: Random) -> Evaluation:
    """What the highest level makes of a position, see `games.bots.base.Player`."""
    *_, last = deepen(state, seats, rng)
    return last


def deepen(state: State, seats: int, rng: Random) -> Iterator[Evaluation]:
    """What it makes of a position at each depth, see `games.bots.base.Player`.

    A score is the lead at the end. It is exact, and `proved` true, where every move was searched to the
    end of the game.
    """
    root = root_of(state, 0, POSITIONS_OF_A_LOOK)
    left = sum(state.board) - sum(stores(state))
    for depth, values, proved in _by_depth(root, SOLVED - 1):
        found = [
            (
                MoveEvaluation(str(branch.move), _share(value, left, proved), round(value / SEED)),
                branch,
                value,
            )
            for branch, value in zip(root.branches, values, strict=True)
        ]
        found.sort(key=lambda each: (each[0].share, each[0].score), reverse=True)
        best, branch, value = found[0]
        shares = (best.share, 1 - best.share) if state.turn == 0 else (1 - best.share, best.share)
        line = (best.move, *_line(root, branch, depth, value))
        yield Evaluation(state.turn, shares, tuple(each[0] for each in found), proved, depth, line)


def make_tables() -> None:
    """Make the tables of exact endings that are missing, as far as the disk lets them be kept."""
    with suppress(OSError):
        kalah_solver.make_missing()


def root_of(state: State, won: int, budget: int) -> Root:
    """A position to be searched, with `won` as in `games.bots.kalah_kernel.search`."""
    options, half = state.options, state.options.pits + 1
    known = kalah_tables.table(options)
    tree = Tree(options.pits, options.sow_both_stores, options.empty_capture, won, budget, known)
    sides = [packed(board[:-1], board[-1]) for board in (state.board[:half], state.board[half:])]
    own, their = sides[state.turn], sides[1 - state.turn]
    branches = list(_sowings(tree, own, their, may_swap=state.swapper == 1 - state.turn))
    if state.swapper == state.turn:
        # The other seat meets the very position that this one is in.
        branches.append(Branch(SWAP, own, their, again=False, may_swap=False))
    return Root(tree, branches)


def _sowings(tree: Tree, own: int, their: int, may_swap: bool) -> Iterator[Branch]:
    for pit in range(int(tree.rules[0])):
        if (own >> 8 * pit) & 255:
            mine, yours, again, _ = sow(own, their, pit, tree.table, tree.rules)
            over = not (seeds_in_pits(mine) and seeds_in_pits(yours))
            first, second = (mine, yours) if again else (yours, mine)
            yield Branch(Move(pit + 1), first, second, bool(again), may_swap and not over)


def _quickly(state: State, skill: Skill, rng: Random) -> Move:
    """One of the moves that look best a few turns ahead."""
    root = root_of(state, WON, POSITIONS_OF_A_GLANCE)
    *_, (_, values, _) = _by_depth(root, skill.turns)
    good = max(values) - SEED * skill.near
    return rng.choice(
        [branch.move for branch, value in zip(root.branches, values, strict=True) if value >= good]
    )


def _thoroughly(state: State, budget: int, rng: Random) -> Move:
    """The best move as far as it can be found.

    Winning is what counts. Once that is settled, the lead is looked at: to win by most, or to make it
    hard for the other seat.
    """
    root = root_of(state, WON, budget)
    best = deepened(root, rng)
    if not best.exact:
        return best.move
    # An eighth more than was asked for, at worst, so that a proved loss is not played blindly.
    root = root_of(state, 0, max(budget - root.tree.nodes, budget // 8))
    by_lead = deepened(root, rng)
    if by_lead.exact:
        return rng.choice(_as_good(root, by_lead))
    return by_lead.move if best.value < 0 else best.move


def _as_good(root: Root, best: Best) -> list[Move]:
    """The moves of the same exact value as the best; the best alone if there is no time to see."""
    values = [root.value(branch, SOLVED - 1, best.value - 1, best.value) for branch in root.branches]
    if root.tree.spent:
        return [best.move]
    return [branch.move for branch, value in zip(root.branches, values, strict=True) if value >= best.value]


def deepened(root: Root, rng: Random) -> Best:
    """The best move by searching deeper and deeper. Chance decides which of equal ones is looked at first."""
    branches = rng.sample(root.branches, len(root.branches))
    best = Best(branches[0].move, 0, exact=False)
    for depth in range(1, SOLVED):
        best = _searched(root, branches, depth, best)
        if best.exact or root.tree.spent:
            break
        branches.sort(key=lambda branch: branch.move != best.move)
    return best


def _searched(root: Root, branches: Sequence[Branch], depth: int, before: Best) -> Best:
    """The best move a number of turns deep, or by then: `before`, if the positions are spent at once."""
    tree, best, estimates = root.tree, None, root.tree.estimates
    for branch in branches:
        if best is None:
            value = root.value(branch, depth)
        else:
            value = root.value(branch, depth, best.value, best.value + 1)
            if value > best.value and not tree.spent:
                value = root.value(branch, depth, best.value)
        if tree.spent:
            return best or before
        if best is None or value > best.value:
            best = Best(branch.move, value, exact=value >= WON)
        if best.exact:
            return best
    assert best is not None
    return best._replace(exact=best.value <= -WON or tree.estimates == estimates)


def _by_depth(root: Root, turns: int) -> Iterator[tuple[int, list[int], bool]]:
    """The values of the moves at each depth at which all could be searched, and whether all are exact."""
    tree = root.tree
    for depth in range(1, turns + 1):
        estimates = tree.estimates
        values = [root.value(branch, depth) for branch in root.branches]
        if tree.spent:
            return
        exact = tree.estimates == estimates
        yield depth, values, exact
        if exact:
            return


def _line(root: Root, branch: Branch, depth: int, value: int) -> Iterator[str]:
    """The best moves after a branch that was searched so deep and is worth so much.

    Each is the first that keeps the value, so that a search without a window finds it in the transposition
    table. The line ends where that has lost it, and where sides may be swapped.
    """
    for _ in range(LONGEST_LINE - 1):
        if branch.may_swap or branch.move == SWAP:
            return
        if not branch.again:
            depth, value = depth - 1, -value
        following = list(_sowings(root.tree, branch.own, branch.their, may_swap=False))
        if depth <= 0 or not _goes_on(branch):
            return
        best = next((each for each in following if root.value(each, depth, value - 1, value) >= value), None)
        if best is None or root.tree.spent:
            return
        branch = best
        yield str(branch.move)


def _goes_on(branch: Branch) -> bool:
    """Whether both sides have seeds in their pits after a branch."""
    return bool(seeds_in_pits(branch.own) and seeds_in_pits(branch.their))


def _share(value: int, left: int, proved: bool) -> float:
    """The share of the win to be expected of a value, with so many seeds left in the pits."""
    if proved:
        return 0.5 + 0.5 * ((value > 0) - (value < 0))
    return 1 / (1 + exp(-CERTAINTY * exp(-left / FADING) * value / SEED))
