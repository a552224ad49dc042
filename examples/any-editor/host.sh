#!/bin/sh
# An editor of a few lines, made from docs/reference/host-protocol.md: sh host.sh FOLDER FILE
# It shows agents the first line of FILE, and says yes to all that they propose. Quotes and
# backslashes, which JSON would have escaped, are beyond it.
set -eu
folder=$(cd "$1" && pwd -P)
file=$folder/$2
pipes=$(mktemp -d)
trap 'rm -r "$pipes"' EXIT
mkfifo "$pipes/in" "$pipes/out"
"${IDEWIRE:-idewire}" host --stdio <"$pipes/in" >"$pipes/out" &
exec 3>"$pipes/in" 4<"$pipes/out"

say() { # a method or an answer, its members, and what goes into them
  printf '{"jsonrpc":"2.0",'"$1"'}\n' "$2" "${3-}" "${4-}" >&3
}

say '"id":1,"method":"host/hello","params":{"protocol":1,"name":"host.sh","members":["openDiff"],"state":{"folders":[{"path":"%s"}]}}%s%s' "$folder"
line=$(head -n 1 "$file")
say '"method":"host/state","params":{"selection":{"path":"%s","ranges":[{"start":{"line":0,"character":0},"end":{"line":0,"character":%s},"text":"%s"}]}}' "$file" "${#line}" "$line"
while read -r message <&4; do
  id=${message#*\"id\":}
  case $message in
    *'"method":"host/openDiff"'*) say '"id":%s,"result":{"kind":"accepted"}%s%s' "${id%%,*}" ;;
    *'"method":"host/closeDiff"'*) say '"id":%s,"result":{"alreadyClosed":true}%s%s' "${id%%,*}" ;;
  esac
done
