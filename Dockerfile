# Build the book, and serve its pages without Python kernels, as `make static` does:
#   docker build --tag attention . && docker run --rm --publish 127.0.0.1:8000:8000 attention
# tests/test_docker.py follows these steps without Docker.

FROM python:3.11.14-slim-bookworm AS build
WORKDIR /book
COPY torch-cpu.txt constraints.txt ./
RUN pip install --no-cache-dir --no-deps --requirement torch-cpu.txt
COPY . .
RUN pip install --no-cache-dir --requirement requirements.txt
RUN jupyter-book build . --warningiserror --nitpick --keep-going
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir wheels .

# One reader's server in a class on Kubernetes, only with --target classroom: docs/thousand-readers.md
FROM python:3.11.14-slim-bookworm AS classroom
WORKDIR /book
COPY torch-cpu.txt constraints.txt ./
RUN pip install --no-cache-dir --no-deps --requirement torch-cpu.txt
COPY --from=build /book/wheels wheels
RUN pip install --no-cache-dir --constraint constraints.txt wheels/*.whl ipykernel jupyter_server jupyterhub
COPY --chmod=755 tools/__init__.py tools/ports.py tools/serve.py tools/
COPY --chmod=755 tools/serving tools/serving
COPY --chmod=755 classroom classroom
COPY --chmod=755 --from=build /book/_build/html _build/html
# Not root, and without an entry in /etc/passwd; the home is a volume.
ENV HOME=/home/reader USER=reader
USER 1000:100
EXPOSE 8888
CMD ["python", "-m", "classroom.kubernetes"]

FROM python:3.11.14-slim-bookworm
WORKDIR /book
COPY constraints.txt ./
RUN pip install --no-cache-dir --constraint constraints.txt tornado
COPY --chmod=755 tools/__init__.py tools/ports.py tools/serve.py tools/
COPY --chmod=755 --from=build /book/_build/html _build/html
# The user "nobody" of Debian, by number, so that Kubernetes sees that it is not root.
USER 65534:65534
EXPOSE 8000
# What Ctrl+C sends: the first process of a container ignores Docker's SIGTERM.
STOPSIGNAL SIGINT
HEALTHCHECK --start-period=5s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/').close()"]
CMD ["python", "-m", "tools.serve", "--ip", "0.0.0.0"]
