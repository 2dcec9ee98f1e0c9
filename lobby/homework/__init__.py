"""Homework of classes, and how far the pupils are with it."""
