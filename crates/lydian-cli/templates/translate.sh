# Reads one sentence per line and answers each with one line at once. Any program that does this can be a method.
while IFS= read -r line; do
  printf '%s\n' "$line"
done
