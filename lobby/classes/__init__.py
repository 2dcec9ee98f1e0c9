"""Classes: teachers, and pupils who play without an e-mail address or a password."""
