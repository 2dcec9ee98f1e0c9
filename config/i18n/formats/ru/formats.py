"""Dates and times in Russian."""

DATE_FORMAT = "j E Y г."
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j E Y г., H:i"
