/**
 * Completion scripts, which ask the program for the possible next words. They contain no commands or flags: only the
 * program knows them. If it is missing or fails, they offer nothing. `complete.ts` describes the output that they read
 * into `answer`. `test/e2e` runs the scripts in the shells that are installed.
 */

/** A shell with a completion script. */
export type ShellName = 'bash' | 'zsh' | 'fish' | 'powershell';

/** Returns the script for a shell, with a line break at the end. */
export function completionScript(shell: ShellName): string {
  return SCRIPTS[shell];
}

/** Returns a script exactly as written, except that `\${`, which JavaScript requires, becomes `${`. */
function script({ raw }: TemplateStringsArray): string {
  return raw.join('').replaceAll(String.raw`\${`, '${');
}

// bash splits words at `=`, `:` and `@`, unlike the program. So the script joins the parts of `COMP_WORDS` that no
// space separates; `rest` is the unread part of the command line. bash replaces only `part`, the text after the last
// separator, so candidates lose the text before it.
const BASH = script`# Completions of tsreg for bash 3.2 and later.
_tsreg() {
  local IFS=$'\n' rest=\${COMP_LINE:0:COMP_POINT} word current='' index=-1 at kind line part extension
  local -a words=() answer=()
  COMPREPLY=()
  for ((at = 0; at <= COMP_CWORD; at++)); do
    if ((index < 0)) || [[ $rest == [[:space:]]* ]]; then
      while [[ $rest == [[:space:]]* ]]; do rest=\${rest:1}; done
      index=$((index + 1))
      words[index]=''
    fi
    word=\${COMP_WORDS[at]}
    ((at == COMP_CWORD)) && word=\${word:0:\${#rest}}
    words[index]=\${words[index]}$word
    rest=\${rest#"$word"}
  done
  current=\${words[index]}
  while IFS= read -r line; do answer+=("$line"); done < <(
    "\${1/#\~\//$HOME/}" complete -- "\${words[@]:1}" 2>/dev/null </dev/null
  )
  kind=\${answer[0]-}
  part=$current
  [[ $COMP_WORDBREAKS == *=* ]] && part=\${part##*=}
  [[ $COMP_WORDBREAKS == *:* ]] && part=\${part##*:}
  [[ $COMP_WORDBREAKS == *@* ]] && part=\${part##*@}
  case $kind in
    words)
      for line in "\${answer[@]:1}"; do
        word=\${line%%$'\t'*}
        COMPREPLY+=("\${word#"\${current%"$part"}"}")
      done
      ;;
    files*)
      compopt -o filenames 2>/dev/null
      part=\${part#[\"\']}
      part=\${part//\\/}
      extension=\${kind#files}
      extension=\${extension# }
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
        compgen -d -- "$part"
        if [[ -n $extension ]]; then compgen -f -X "!*$extension" -- "$part"; else compgen -f -- "$part"; fi |
          while IFS= read -r line; do [[ -d $line ]] || printf '%s\n' "$line"; done
      )
      ;;
    folders)
      compopt -o filenames 2>/dev/null
      part=\${part#[\"\']}
      part=\${part//\\/}
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$part")
      ;;
  esac
}
complete -F _tsreg tsreg
`;

// In zsh, `(Q)` removes quotes, `~` expands the home folder at the start of a word, and `(@f)` splits text into lines.
const ZSH = script`#compdef tsreg
# Completions of tsreg for zsh. A file called _tsreg in a folder of $fpath, or read by source behind compinit.
_tsreg() {
  local -a answer candidates
  local line word about extension
  answer=("\${(@f)$(
    "\${(Q)~words[1]}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null
  )}")
  case \${answer[1]} in
    words)
      for line in "\${(@)answer[2,-1]}"; do
        word=\${line%%$'\t'*}
        about=\${line#"$word"}
        word=\${word//\\/\\\\}
        candidates+=("\${word//:/\\:}\${about:+:\${about#$'\t'}}")
      done
      _describe -V tsreg candidates
      ;;
    files*)
      extension=\${\${answer[1]#files}# }
      compset -P '*='
      if [[ -n $extension ]]; then _files -g "*$extension(-.)"; else _files; fi
      ;;
    folders)
      compset -P '*='
      _files -/
      ;;
    *) return 1 ;;
  esac
}
if [[ \${funcstack[1]-} == _tsreg ]]; then _tsreg "$@"; else compdef _tsreg tsreg; fi
`;

// `part` is a path behind `--flag=`, and `before` the text in front of it. `__tsreg_path` is no command, so fish completes
// its argument as a path.
const FISH = script`# Completions of tsreg for fish 3.1 and later.
function __tsreg_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] complete -- $words[2..-1] $current 2>/dev/null </dev/null)
    set -l part (string replace -r '^-.*?=' '' -- "$current")
    set -l before (string sub -l (math (string length -- "$current") - (string length -- "$part")) -- "$current")
    switch "$answer[1]"
        case words
            for line in $answer[2..-1]
                printf '%s\n' $line
            end
        case 'files*'
            set -l extension (string replace -r '^files ?' '' -- $answer[1])
            for path in (complete -C "__tsreg_path $part")
                set path (string split -m1 \t -- $path)[1]
                if string match -q '*/' -- $path; or string match -q "*$extension" -- $path
                    printf '%s\n' "$before$path"
                end
            end
        case folders
            for path in (complete -C "__tsreg_path $part")
                set path (string split -m1 \t -- $path)[1]
                string match -q '*/' -- $path; and printf '%s\n' "$before$path"
            end
    end
end
complete -c tsreg -e
complete -c tsreg -f -k -a '(__tsreg_complete)'
`;

const POWERSHELL = script`# Completions of tsreg for PowerShell 5 and later.
Register-ArgumentCompleter -Native -CommandName tsreg -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = @($commandAst.CommandElements)
    $words = @($elements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or
            ($_.Extent.EndOffset -eq $cursorPosition -and $wordToComplete -eq '') } |
        ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    # Some releases leave out an empty argument.
    $current = if ($wordToComplete -eq '') { '""' } else { [string]$wordToComplete }
    try {
        $answer = @(& ([string]$elements[0].Extent.Text) complete '--' @words $current 2>$null)
    } catch {
        return
    }
    # Without an answer PowerShell offers files.
    if ($answer.Count -eq 0 -or $answer[0] -ne 'words') { return }
    $answer | Select-Object -Skip 1 | ForEach-Object {
        $word, $about = $_ -split ([string][char]9), 2
        if (-not $about) { $about = $word }
        $type = if ($word.StartsWith('-')) { 'ParameterName' } else { 'ParameterValue' }
        [System.Management.Automation.CompletionResult]::new($word, $word, $type, $about)
    }
}
`;

const SCRIPTS: Readonly<Record<ShellName, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
