"""What messages say a seat may do is what the service lets it do: nothing more, and nothing less.

A match goes on at random through everything that can happen to one. In every position whatever is not listed
is tried by every seat and refused, and one thing that is listed is done.
"""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import orjson
import pytest
from asgiref.sync import async_to_sync

from games.domain import absence, clock, codec, instants, match_actions
from games.domain.match_actions import Logged, MatchFlags
from games.domain.messages import parse
from games.domain.offers import Offer
from games.domain.refusals import AskedAlready, Refused
from games.domain.terms import Terms
from games.models import Heartbeat
from games.net.hub import Hub
from games.play import permissions, signals
from games.play.begin import create
from games.play.live import LiveMatch
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import IllegalMove, Outcome
from lobby.people.models import User
from tests.helpers.samples import sample
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ulno", "Artjom", "Third", "Fourth")
OFFERS = ("draw", "take-back", "pause", "save", "resume", "end")
ACTS = (
    *(("command", name) for name in ("move", "resign", "decline", "abort", "reclaim", "words", "rematch")),
    *(("offer", kind) for kind in OFFERS),
    *(("claim", kind) for kind in ("win", "draw", "caretaker", "abort")),
)
"""Everything that is allowed or not."""

ENDINGS = {
    ("command", "resign"),
    ("command", "abort"),
    ("claim", "win"),
    ("claim", "draw"),
    ("claim", "abort"),
}
"""What ends most matches, and is not to do so at once."""

STEPS = 12
MOST = 50
"""Rounds in which everything must have been possible once; nearly always the first few have it all."""


def listed(may, live, seat):
    """The acts that a message lists; to propose and to agree are the same command."""
    of_others = {offer.kind for offer in live.offers if offer.by != seat}
    kinds = (set(may["offer"]) - of_others) | set(may["agree"])
    return (
        {("command", name) for name in may["commands"]}
        | {("offer", kind) for kind in kinds}
        | {("claim", kind) for kind in may["claim"]}
    )


def what_stands(live):
    """What a command can change of a match."""
    return (
        live.ply,
        live.state,
        live.flags,
        live.outcome,
        live.offers,
        live.words,
        live.rematch,
        live.gone,
    )


class Walk:
    """A match whose seats do what they may, one thing after the other, and rather what was done seldom."""

    def __init__(self, match, users, wall, rng, done):
        self.match, self.users, self.wall, self.rng, self.done = match, users, wall, rng, done
        self.service = Matches(Hub(), wall)
        self.sent = 0

    async def verdict(self, live, seat, act):
        """Whether the service does what a seat asks of it."""
        kind, name = act
        if kind == "claim" and live.flags.halted == match_actions.SAVED:
            # It has been saved for long enough.
            self.wall.now += 15 * clock.DAY
        user = self.users[seat].pk
        try:
            if name == "rematch":
                await self.service.rematch(self.match.pk, user)
            elif name == "words":
                await self.service.add_words(self.match.pk, user, "a horse")
            else:
                # Everybody has been away for long enough, if that matters in this match.
                away = dict.fromkeys(range(len(self.users)), self.wall.now - 1_000_000)
                await self.service.play(self.match.pk, user, self.command(live, kind, name), away=away)
        except AskedAlready:
            # The button stays where it is, and says when to press it again.
            pass
        except (Refused, IllegalMove):
            return False
        self.done[act] += 1
        return True

    def command(self, live, kind, name):
        self.sent += 1
        fields = {
            "type": name if kind == "command" else kind,
            "id": f"command-{self.sent}",
            "after": live.ply,
        }
        if name == "move":
            fields["move"] = (live.legal() or ["?"])[self.sent % max(1, len(live.legal()))]
        elif name == "decline":
            fields["kind"] = live.offers[0].kind if live.offers else "draw"
        elif kind != "command":
            fields["kind"] = name
        return parse(orjson.dumps(fields).decode())

    async def check(self, live):
        """Nothing that is not listed is done; what is listed, by seat."""
        may = {
            seat: orjson.loads(orjson.dumps(permissions.for_seat(live, seat)))["may"]
            for seat in range(len(self.users))
        }
        allowed = {seat: listed(fields, live, seat) for seat, fields in may.items()}
        for seat, open_now in allowed.items():
            for act in ACTS:
                if act not in open_now:
                    assert not await self.verdict(live, seat, act), (
                        f"{act} by {seat} is not listed: {may[seat]}"
                    )
        # An alarm may have reloaded the match meanwhile: the clock jumps over days.
        after = await self.service.get(self.match.pk)
        assert what_stands(after) == what_stands(live), "what is refused changes nothing"
        return allowed

    async def run(self, steps):
        for step in range(steps):
            live = await self.service.get(self.match.pk)
            allowed = await self.check(live)
            open_now = [(seat, act) for seat, acts in allowed.items() for act in sorted(acts)]
            seat, act = self.choose(open_now, step == steps - 1)
            assert await self.verdict(live, seat, act), f"{act} by {seat} is listed"
        await self.check(await self.service.get(self.match.pk))
        await self.service.close()

    def choose(self, open_now, last):
        """Something to do: moves between everything else, and what ends the match at the last."""
        moves = [(seat, act) for seat, act in open_now if act == ("command", "move")]
        others = [(seat, act) for seat, act in open_now if act not in ENDINGS]
        chosen = open_now if last else self.rng.choice([moves, others]) or open_now
        self.rng.shuffle(chosen)
        return min(chosen, key=lambda each: self.done[each[1]])


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_service_allows_exactly_the_acts_that_messages_list(monkeypatch, slug):
    monkeypatch.setattr(signals.match_over, "listeners", ())
    rng, done = Random(slug), Counter()
    rules = GAMES[slug].rules
    users = [User.objects.create(username=name) for name in NAMES]
    tables = [seats for seats in rules.SEATS if seats <= len(NAMES)]
    least = sample(6, 2) // len(tables)
    for played in range(MOST):
        # What is never listed such a walk would say nothing of. What can be done depends on the dice.
        if played >= least and expected(slug) <= set(done):
            break
        for seats, notation, rated in product(tables, ("", "1+2", "3d"), (False, True)):
            terms, levels = Terms(clock=notation, rated=rated), {0: 1} if rng.random() < 1 / 3 else {}
            # Otherwise the time since the last match is one in which the site was away.
            Heartbeat.objects.all().delete()
            match = create(slug, rules.Options(), users[:seats], terms=terms, levels=levels)
            wall = Time(instants.milliseconds(match.created))
            async_to_sync(Walk(match, users[:seats], wall, rng, done).run)(STEPS)
    assert expected(slug) <= set(done)


def expected(slug):
    """The acts that such a walk through matches of a game cannot miss."""
    seats = GAMES[slug].rules.SEATS
    # Where nearly every decision is followed by a throw, there is hardly ever one to take back.
    never = {("offer", "take-back")} if GAMES[slug].dice else set()
    if not GAMES[slug].draws or min(seats) > 2:
        never.add(("offer", "draw"))
    if max(seats) == 2:
        never |= {("offer", "end"), ("claim", "caretaker"), ("command", "reclaim")}
    if min(seats) > 2:
        never |= {("claim", "win"), ("claim", "draw")}
    return set(ACTS) - never


@pytest.mark.parametrize(("notation", "limit"), [("", 120_000), ("5+3", 60_000), ("3d", None)])
def test_a_claim_is_due_where_the_judge_says_so(notation, limit):
    """To the millisecond: the moment that is told is the first at which the player counts as gone."""
    patience = absence.patience(clock.parse(notation), 60)
    assert absence.due(patience, 5_000) == (None if limit is None else 5_000 + limit)
    for late in (-1, 0, 1):
        now = 5_000 + (limit or 10**9) + late
        gone = absence.gone(patience, {1: 5_000}, now)
        assert bool(gone) == (limit is not None and late >= 0)


# Each rule by name, where it is not about what others have done meanwhile


def standing(slug="kalah", seats=2, plies=(), rated=False, notation="", over=False, **more):
    """A match as a process keeps it: `plies` are written `seat:text`, chance has no seat."""
    rules = GAMES[slug].rules
    line, flags = [], MatchFlags()
    for number, (mover, _, text) in enumerate((ply.partition(":") for ply in plies), 1):
        seat = int(mover) if mover else None
        flags = flags.after(seat, text)
        match_actions.follow(line, number, Logged(seat, text, text == codec.DICE))
    live = LiveMatch.__new__(LiveMatch)
    for name, value in {
        "game": GAMES[slug],
        "players": {},
        "names": NAMES[:seats],
        "levels": {},
        "shared": False,
        "state": rules.setup(rules.Options(), seats),
        "ply": len(plies),
        "control": (control := clock.parse(notation)),
        "timed": control.timed,
        "in_real_time": control.live,
        "terms": Terms(clock=notation, rated=rated),
        "flags": flags,
        "line": line,
        "offers": (),
        "asked_back": frozenset(),
        "moved_at": 0,
        "rematch": None,
        "gone": False,
        "outcome": Outcome((0,), "swept") if over else None,
        **more,
    }.items():
        setattr(live, name, value)
    return live


def may(seat=0, **about):
    return permissions.may(standing(**about), seat)


BOTH = ("0:1", "1:4")


def test_a_match_is_aborted_as_long_as_somebody_has_not_acted():
    assert "abort" in may(plies=["0:1"])["commands"]
    assert "abort" not in may(plies=BOTH)["commands"]
    assert "abort" not in may(plies=["0:1", "1:left:1:time"])["commands"]


def test_abort_not_allowed_after_own_throw_in_rated_match():
    thrown = {"slug": "cantstop", "plies": ["0:roll", ":dice"], "rated": True}
    assert "abort" not in may(0, **thrown)["commands"]
    assert "abort" in may(1, **thrown)["commands"]
    assert "abort" in may(0, **(thrown | {"rated": False}))["commands"]
    assert "abort" in may(0, plies=["0:1"], rated=True)["commands"]


def test_permissions_cached_apart_for_games_with_dice():
    acted = {"plies": ["0:1"], "rated": True}
    matches = [standing(slug=slug, **acted) for slug in ("kalah", "cantstop")]
    for live in matches:
        live.game = replace(live.game, draws=False)
        live.__post_init__()
    assert matches[0].kind != matches[1].kind


def test_a_move_is_taken_back_in_casual_matches_once_there_is_one():
    assert "take-back" in may(plies=BOTH)["offer"]
    assert "take-back" in may(1, plies=BOTH)["offer"]
    assert "take-back" in may(plies=["0:1", "0:paused:0", "0:resumed:0"])["offer"]
    assert "take-back" not in may()["offer"]
    assert "take-back" not in may(1, plies=["0:1"])["offer"]
    assert "take-back" not in may(plies=["0:1", "0:back:0:0"])["offer"]
    assert "take-back" not in may(plies=BOTH, rated=True)["offer"]


def test_take_back_not_offered_across_throw_or_departure():
    assert "take-back" not in may(slug="cantstop", plies=["0:roll", ":dice"])["offer"]
    assert "take-back" in may(slug="cantstop", plies=["0:roll", ":dice", "0:6+8"])["offer"]
    assert "take-back" not in may(slug="cantstop", seats=3, plies=["0:6+8", "1:left:1:resigned"])["offer"]


def test_a_draw_is_for_two_players_of_a_game_that_knows_draws():
    assert "draw" in may()["offer"]
    assert "draw" not in may(slug="cantstop")["offer"]
    assert "draw" not in may(slug="cantstop", seats=3)["offer"]


def test_the_end_is_voted_for_at_tables_of_three_and_more():
    assert "end" in may(slug="cantstop", seats=3)["offer"]
    assert "end" not in may(slug="cantstop", seats=2)["offer"]


def test_live_matches_alone_are_paused():
    assert ["pause" in may(notation=notation)["offer"] for notation in ("5+3", "3d", "")] == [
        True,
        False,
        False,
    ]


def test_a_match_is_saved_by_whose_turn_it_is():
    assert "save" in may(0)["offer"]
    assert "save" not in may(1)["offer"]


def test_halted_match_allows_resume_only():
    for halt, claim in (("0:paused:0", []), ("0:saved:0", ["abort"])):
        assert may(plies=[*BOTH, halt]) == {
            "commands": ["resign", "decline"],
            "offer": ["resume"],
            "agree": [],
            "claim": claim,
        }


def test_a_claim_is_for_whoever_waits_and_not_where_the_clock_alone_counts():
    assert may(1)["claim"] == ["win", "draw"]
    assert may(0)["claim"] == []
    assert may(1, notation="3d")["claim"] == []
    assert may(1, levels={0: 1})["claim"] == []
    assert may(1, slug="cantstop", seats=3)["claim"] == ["caretaker"]
    assert may(1, slug="cantstop", seats=3, plies=["0:caretaker:0"])["claim"] == []


def test_caretaken_seat_can_resign_or_reclaim():
    told = may(slug="cantstop", seats=3, plies=["0:6+8", "1:6+8", "2:6+8", "1:caretaker:0"])
    assert told == {"commands": ["resign", "decline", "reclaim"], "offer": [], "agree": [], "claim": []}


def test_player_who_left_has_no_commands_until_rematch():
    nothing = {"commands": [], "offer": [], "agree": [], "claim": []}
    left = {"slug": "cantstop", "seats": 3, "plies": ["0:left:0:resigned"]}
    assert may(**left) == nothing
    assert may(**left, over=True) == {**nothing, "commands": ["rematch"]}
    assert may(plies=BOTH, over=True) == {**nothing, "commands": ["rematch"]}


def test_an_offer_of_another_can_be_agreed_to_also_where_it_could_not_be_made():
    saving = (Offer("save", 0, (0,), 30_000),)
    assert may(1, plies=BOTH, offers=saving)["agree"] == ["save"]
    assert "save" not in may(1, plies=BOTH, offers=saving)["offer"]
    assert may(0, plies=BOTH, offers=saving)["agree"] == []
