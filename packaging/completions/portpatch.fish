# fish completion for portpatch. What may follow is the program's own answer (`portpatch complete`).
function __portpatch_answer
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] complete -- $words[2..] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case :packs
                __fish_complete_suffix .scm
            case '*'
                echo $line
        end
    end
end
complete -c portpatch -f -a '(__portpatch_answer)'
