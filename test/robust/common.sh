# Shared by the scripts of this folder: runs a verb within bounded memory (ulimit)
# and time (timeout), checks its exit code and message, and makes texts.
work=build/robust/$(basename "$0" .test)
out=$work/output
game=$work/game.kif
program=$TAFL
memory=1000000 # KiB of address space; 0: unlimited
seconds=120
verbs="check info dump perft trace bench play match"
number=0 failures=0
mkdir -p "$work"

tell() { # MESSAGE WHAT; an empty message means success
  number=$((number + 1))
  if [ -z "$1" ]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    echo "  $1"
    head -c 400 "$out" | head -n 3 | cat -v | cut -c 1-200 | sed 's/^/  /'
    failures=$((failures + 1))
  fi
}

skip() { # WHAT WHY
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}

run() { # VERB FILE OPTION...; the exit code goes to $code
  verb=$1 file=$2
  shift 2
  case $verb in
  dump) set -- "$file" prolog "$@" ;;
  perft) set -- "$file" 2 "$@" ;;
  bench) set -- "$file" --games 1 "$@" ;;
  play) set -- "$file" --against random "$@" ;;
  match) set -- "$file" --players random,legal --games 1 "$@" ;;
  *) set -- "$file" "$@" ;;
  esac
  (
    [ "$memory" = 0 ] || ulimit -v "$memory"
    exec timeout -k 5 "$seconds" "$program" "$verb" "$@"
  ) >"$out" 2>&1 </dev/null
  code=$?
}

# The first of $verbs and another one, which changes from one case to the next: all verbs
# read games in the same way. In the long run all of them.
some_verbs() {
  set -- $verbs
  if [ -n "${LONG:-}" ] || [ $# -le 4 ]; then
    echo "$@"
    return
  fi
  first=$1
  shift
  eval "echo $first \${$((number / 2 % $# + 1))}"
}

# Every verb must exit with the code given, and name the file if it fails.
expect() { # WHAT FILE CODE-OF-CHECK CODE-OF-OTHERS OPTION...
  what=$1 path=$2 of_check=$3 of_others=$4 message=
  shift 4
  for each in $(some_verbs); do
    wanted=$of_others
    [ "$each" = check ] && wanted=$of_check
    run "$each" "$path" "$@"
    if [ "$code" != "$wanted" ]; then
      message="$each: exit code $code, not $wanted"
    elif [ "$code" != 0 ] && ! grep -qF -e "$path:" "$out"; then
      message="$each: the error does not name the file"
    else
      continue
    fi
    break
  done
  tell "$message" "$what"
}

# ---- texts ----

bytes() { # COUNT OCTAL: one byte repeated
  head -c "$1" /dev/zero | tr '\0' "\\$2"
}

repeat() { # COUNT FORMAT: the format printed with the numbers 0, 1, 2, ...
  awk -v count="$1" -v format="$2" \
    'BEGIN { for (i = 0; i < count; i++) printf format, i, i, i, i }'
}

# Completes rules from standard input to a game.
frame() {
  echo '(role r) (init s) (legal r go) (legal r stay) (goal r 50)'
  echo '(<= (next s) (true s)) (<= terminal (true t))'
  cat
}
