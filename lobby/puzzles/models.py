"""Ratings of puzzles and of their solvers."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


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
