#!/bin/sh
# Make .venv and install the project with the locked versions of one requirements file: setup-venv.sh demo|dev [python]
# uv where it is on PATH, else python -m venv and pip. Says what to do where neither can work.
set -eu
cd "$(dirname "$0")/.."
what=$1
python=${2:-python3}
requirements=deploy/requirements/$what.txt

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "setup: $python is not Python 3.11 or newer; name one with make PYTHON=python3.12 …" >&2
    exit 1
fi

if [ ! -x .venv/bin/python ]; then
    echo "setup: making .venv" >&2
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --seed --python "$python" .venv
    elif ! "$python" -m venv .venv >/dev/null 2>&1; then
        rm -rf .venv
        # Debian ships python3 without venv's pip: its own package has it
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            echo "setup: installing Debian's python3-venv" >&2
            apt-get install -y -qq python3-venv >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; }
            "$python" -m venv .venv
        else
            echo "setup: $python cannot make a virtual environment; on Debian: sudo apt-get install python3-venv" >&2
            exit 1
        fi
    fi
fi

echo "setup: installing $what" >&2
if command -v uv >/dev/null 2>&1; then
    VIRTUAL_ENV=.venv uv pip install --quiet -r "$requirements"
    VIRTUAL_ENV=.venv uv pip install --quiet --no-deps -e .
else
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
fi
touch ".venv/$what"
[ "$what" = demo ] || touch .venv/demo
