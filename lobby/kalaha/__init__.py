"""The REST API of the Kalaha note, a contract that is separate from `/api/v1`."""
