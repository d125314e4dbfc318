#!/bin/sh
# A plugin in shell: every text in capital letters. It needs jq 1.6.
while IFS= read -r line; do
  case $(printf '%s' "$line" | jq -r .type) in
    hello)
      printf '%s\n' '{"type":"hello","protocol":1,"method":{"id":"capitals","version":"1.0"},"capabilities":{"max_batch":64}}' ;;
    translate)
      printf '%s' "$line" | jq -c '.req as $req
        | (.entries[] | {type: "result", req: $req, id, output: (.source | ascii_upcase), usage: {cost_usd: 0}}),
          {type: "done", req: $req}' ;;
    ping)
      printf '%s' "$line" | jq -c '{type: "pong", req}' ;;
    shutdown)
      exit 0 ;;
  esac
done
