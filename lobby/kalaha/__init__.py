"""The REST interface of the Kalaha note, a contract of its own beside `/api/v1`."""
