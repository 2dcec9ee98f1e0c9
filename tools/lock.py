"""`make lock`: pin the newest packages that requirements*.in allow, with the hash of every file."""

import subprocess
import sys

# No header and no addresses: the pins should not tell on which machine they were made.
COMPILE = [
    *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--upgrade", "--generate-hashes"),
    *("--no-header", "--no-emit-index-url", "--no-emit-find-links", "--python-version", "3.11"),
]


def main() -> None:
    subprocess.run([*COMPILE, "requirements.in", "--output-file", "requirements.txt"], check=True)
    # The tests run on exactly what is served.
    constrained = ["--constraint", "requirements.txt", "--output-file", "requirements-dev.txt"]
    subprocess.run([*COMPILE, "requirements-dev.in", *constrained], check=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
