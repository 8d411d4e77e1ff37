#!/bin/sh
# The simulator's page is tested in Chromium. Installs Debian's where there is none and apt-get may be used.
set -eu

found() {
  if [ -n "${CHROMIUM:-${CHROME_PATH:-}}" ]; then
    command -v "${CHROMIUM:-$CHROME_PATH}" >/dev/null
    return
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if command -v "$name" >/dev/null; then return 0; fi
  done
  return 1
}

if found; then exit 0; fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium for the tests of the simulator's page" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  apt-get install -qq --no-install-recommends chromium </dev/null >/dev/null
fi

if ! found; then
  echo "Chromium is needed for the tests of the simulator's page, and none was found." >&2
  echo "Install it (Debian: sudo apt-get install chromium), or name one in CHROMIUM, and run make again." >&2
  exit 1
fi
