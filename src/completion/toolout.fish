# fish completion for toolout: toolout completion fish | source
function __toolout_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command toolout completion fish -- $before[2..] "$current" 2>/dev/null)
    switch "$answer[1]"
        case 'command *'
            set -l from (math (string replace 'command ' '' -- $answer[1]) + 2)
            complete -C (string join ' ' -- (string escape -- $before[$from..]) "$current")
        case files
            __fish_complete_path "$current"
        case directories
            __fish_complete_directories "$current" ''
    end
    if set -q answer[2]
        printf '%s\n' $answer[2..]
    end
end
complete -c toolout -f -k -a '(__toolout_complete)'
