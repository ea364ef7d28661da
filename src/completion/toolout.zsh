#compdef toolout
# zsh completion for toolout: eval "$(toolout completion zsh)" after compinit, or as the file _toolout in a directory of fpath
_toolout() {
  local -a answer found
  local line
  local -i skip ret=1
  answer=("${(@f)$(command toolout completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  case $answer[1] in
    command*)
      skip=$((${answer[1]#command } + 1))
      shift $skip words
      ((CURRENT -= skip))
      _normal -p toolout
      return
      ;;
    directories)
      _files -/
      return
      ;;
  esac
  ((${#found})) && _describe -V toolout found && ret=0
  [[ $answer[1] = files ]] && _files && ret=0
  return ret
}
if [[ $funcstack[1] = _toolout ]]; then _toolout "$@"; else compdef _toolout toolout; fi
