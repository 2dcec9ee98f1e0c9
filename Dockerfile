# Parlour for containers: nothing in the image is writable, nothing runs as root.
# By itself it is a whole site on SQLite: `docker run -p 8000:8000 -v parlour:/data parlour`.
# docker-compose.yml runs it with PostgreSQL and Redis.

ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE} AS build
WORKDIR /app
RUN python -m venv /venv
COPY requirements.txt .
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
COPY . .
# The key is for this command only, and the bundler is removed after it. Python is compiled here, since the
# image is read-only later.
# Timestamps in whole seconds, as layers store them: compiled files record the timestamp of their source.
RUN find config games lobby -name '*.py' -exec touch --date=@1700000000 {} +
# The kernels of computer players, compiled for this processor; on another one they are recompiled into /tmp.
RUN NUMBA_CACHE_DIR=/app/kernels /venv/bin/python -m games.computers.thinking
RUN /venv/bin/python -m config.i18n.compile_messages
RUN SECRET_KEY=for-collecting-files-only-and-for-nothing-else /venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && /venv/bin/pip uninstall --yes --quiet deno && rm -r /venv/deno \
    && /venv/bin/python -m compileall -q .

FROM ${PYTHON_IMAGE}
# The letters on the pictures of link previews.
RUN apt-get update && apt-get install --yes --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 parlour && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin parlour
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-m", "config.probe"]
CMD ["python", "-m", "config.container"]
