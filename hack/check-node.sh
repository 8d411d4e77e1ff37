#!/bin/sh
# The sources need Node 24. It comes with `npm ci` on Linux (x64, arm64) and macOS (x64); elsewhere it must be installed.
major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
if [ "${major:-0}" -lt 24 ]; then
  echo "Node 24 or newer is needed, and none is packaged for $(uname -sm) here: found $(node --version 2>/dev/null || echo none)." >&2
  echo "Install Node 24 (https://nodejs.org) and run make again." >&2
  exit 1
fi
