"""Whether the server on this computer is ready, as an exit code: `python -m config.probe [port]`.

For container engines: their images have no curl.
"""

import http.client
import sys


def ready(port: int) -> bool:
    """Ask /readyz directly, without a proxy from the environment."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not ready(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
