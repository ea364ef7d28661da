# bash completion for toolout: eval "$(toolout completion bash)"
_toolout() {
  # Readline breaks words at = and : too (COMP_WORDBREAKS, bash(1)): what stands together on the line is joined again.
  local line=$COMP_LINE words=() at=() i word
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $i -gt 0 && -n $word && $line != [[:space:]]* ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word") at+=("$i")
    fi
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#"$word"}
  done
  local answer=() current=${words[${#words[@]} - 1]}
  mapfile -t answer < <(command toolout completion bash -- "${words[@]:1}" 2>/dev/null)
  # Of a candidate only what follows the last break is given back.
  local before=${current%"${current##*[=:]}"}
  local rest=${current#"$before"}
  COMPREPLY=()
  for word in "${answer[@]:1}"; do
    word=${word%%$'\t'*}
    COMPREPLY+=("${word#"$before"}")
  done
  case ${answer[0]} in
    command*)
      i=${at[${answer[0]#command } + 1]}
      if declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$i"
      elif declare -F _command_offset >/dev/null; then
        _command_offset "$i"
      elif ((i == COMP_CWORD)); then
        mapfile -t COMPREPLY < <(compgen -c -- "$rest")
      else
        compopt -o default 2>/dev/null
      fi
      ;;
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$rest")
      ;;
    directories)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$rest")
      ;;
  esac
}
complete -F _toolout toolout
