# bash completion for portpatch. What may follow is the program's own answer (`portpatch complete`).
_portpatch() {
  local word rest words=() current=${COMP_WORDS[COMP_CWORD]}
  # bash takes `--format=json` for three words.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [ "$word" = = ] || words+=("$word"); done
  [ "$current" = = ] && current=
  COMPREPLY=()
  while IFS=$'\t' read -r word rest; do
    case $word in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      :packs)
        compopt -o filenames -o plusdirs
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X '!*.scm' -- "$current")
        ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <("$1" complete -- "${words[@]}" "$current" 2>/dev/null)
}
complete -F _portpatch portpatch
