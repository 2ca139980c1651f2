#!/bin/sh
# Reads one picture with curl: sh read.sh receipt.jpg
# Needs RECEIPTS_URL and RECEIPTS_KEY; CURL_CA_BUNDLE names a certificate that no public authority has signed.
set -eu

call() { curl -sS --retry 4 -H "apikey: $RECEIPTS_KEY" "$@"; }
field() { printf '%s' "$answer" | sed -n "s/.*\"$1\":\"\{0,1\}\([A-Za-z0-9]*\).*/\1/p"; }

answer=$(call -F "file=@$1" -F region=us "$RECEIPTS_URL/api/2/process")
token=$(field token)
[ -n "$token" ] || { echo "$answer" >&2; exit 1; }

sleep 2
for _ in $(seq 60); do
  answer=$(call "$RECEIPTS_URL/api/result/$token")
  case "$answer" in
    *'"code":301,'*) sleep 1 ;; # not there yet
    *) break ;;
  esac
done
echo "$answer"
case "$answer" in *'"code":202,'*) ;; *) exit 1 ;; esac
