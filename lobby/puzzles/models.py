"""Ratings of puzzles and of their solvers, runs, and the best of these."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

TOKEN_BYTES = 12


def new_key() -> str:
    """The key of a run, which nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class PuzzleSolver(models.Model):
    """The rating of an account at the puzzles of a game. Written only by `lobby.puzzles.ratings`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="puzzle_ratings",
        verbose_name=_("player"),
    )
    game = models.SlugField(_("game"), db_index=False)
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))

    class Meta:
        verbose_name = _("rating of a solver")
        verbose_name_plural = _("ratings of solvers")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game"], name="one_puzzle_rating_per_game")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.rating:.0f}"


class PuzzleRating(models.Model):
    """The rating of a puzzle: it wins against those who fail. Written only by `lobby.puzzles.ratings`."""

    puzzle = models.CharField(_("puzzle"), max_length=8, primary_key=True)
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))

    class Meta:
        verbose_name = _("rating of a puzzle")
        verbose_name_plural = _("ratings of puzzles")

    def __str__(self) -> str:
        return f"{self.puzzle} {self.rating:.0f}"


class PuzzleAttempt(models.Model):
    """The first attempt of an account at a puzzle. Written only by `lobby.puzzles.ratings`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="puzzle_attempts",
        verbose_name=_("player"),
    )
    puzzle = models.CharField(_("puzzle"), max_length=8)
    solved = models.BooleanField(_("solved"))
    rating_before = models.FloatField(_("rating before"))
    rating_after = models.FloatField(_("rating after"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("attempt at a puzzle")
        verbose_name_plural = _("attempts at puzzles")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="one_attempt_per_puzzle")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.puzzle}"


class PuzzleRun(models.Model):
    """A streak or a storm. Written only by `lobby.puzzles.runs`.

    `puzzles` are the keys of its puzzles, in their order, `results` a 1 or 0 for each that was answered and a
    - for each that was skipped. The clock begins with the first answer. Runs of visitors and guests have no
    user.
    """

    key = models.CharField(_("key"), max_length=16, primary_key=True, default=new_key)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="puzzle_runs",
        verbose_name=_("player"),
    )
    game = models.SlugField(_("game"), db_index=False)
    kind = models.CharField(_("kind"), max_length=6)
    puzzles = models.TextField(_("puzzles"))
    results = models.CharField(_("results"), max_length=99)
    created = models.DateTimeField(_("created"), db_index=True)
    started = models.DateTimeField(_("started"), null=True)

    class Meta:
        verbose_name = _("run of puzzles")
        verbose_name_plural = _("runs of puzzles")

    def __str__(self) -> str:
        return f"{self.kind} {self.game} {self.results}"


class PuzzleBest(models.Model):
    """The best run of an account of each kind and game. Written only by `lobby.puzzles.runs`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="puzzle_bests",
        verbose_name=_("player"),
    )
    game = models.SlugField(_("game"), db_index=False)
    kind = models.CharField(_("kind"), max_length=6)
    score = models.PositiveSmallIntegerField(_("score"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("best run of puzzles")
        verbose_name_plural = _("best runs of puzzles")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game", "kind"], name="one_best_run_per_kind")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.game} {self.score}"
