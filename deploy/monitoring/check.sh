#!/usr/bin/env bash
# Checks rules and configuration with promtool (Debian package `prometheus`), and the metrics of a server if its admin
# listener is named:
#
#   deploy/monitoring/check.sh [http://127.0.0.1:9464]
set -euo pipefail
cd "$(dirname "$0")"

promtool check config prometheus.yml
promtool test rules petstore.rules.test.yml
if [ -n "${1:-}" ]; then
  curl --silent --show-error --fail "$1/metrics" | promtool check metrics
  echo "The metrics of $1 are clean"
fi
