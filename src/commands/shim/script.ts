/** The shim scripts, which replace cargo. */
import { OWN_MARK, SHIM_MARK } from '../../io/toolchain/next-cargo.ts';
import { CARGO_COMMANDS } from '../shared/cargo-commands.ts';

/** The program that a script starts. All paths are absolute. */
export interface ShimTarget {
  /** The executable of Node; null if the program does not need Node. */
  readonly node: string | null;
  /** The tsreg file: a script for Node, or an executable. */
  readonly program: string;
  /** Names of tsreg's commands. */
  readonly commands: readonly string[];
}

/** Maximum nesting of these scripts; at most 99. A cargo in the build of another cargo has depth two. */
const MOST_NESTED = 20;

/** The line at the head of the scripts by which `isShim` and `is_tsreg` recognize them. */
const ABOUT = `${SHIM_MARK} what tsreg does goes to tsreg, the rest to the next cargo on the PATH.`;

/**
 * Returns the script for `sh`. It parses the arguments only up to the command. It starts no other program before the
 * final `exec`, so signals and exit statuses are those of that program. It leaves possible aliases to tsreg. Of the
 * short flags, `-C` and `-Z` take a value: the rest of the argument, or the next argument.
 */
export function shellShim({ node, program, commands }: ShimTarget): string {
  return `#!/bin/sh
${ABOUT}
# Written by \`tsreg shim\`, which writes it anew where tsreg or Node has moved.
node=${quoted(node ?? '')}
tsreg=${quoted(program)}

case $0 in
  /*) self=$0 ;;
  */*) self=$PWD/$0 ;;
  *) self=$(command -v -- "$0") ;;
esac

# A program \`cargo\` that only calls \`cargo\` again would have no end.
depth=\${TSREG_SHIM_DEPTH:-0}
case $depth in [0-9] | [1-9][0-9]) ;; *) depth=0 ;; esac
if [ "$depth" -ge ${MOST_NESTED} ]; then
  echo "error: $self was started by what it has started, ${MOST_NESTED} times over

help: take the program \\\`cargo\\\` that calls this one again off the PATH" >&2
  exit 101
fi
export TSREG_SHIM_DEPTH=$((depth + 1))

# Is this file one of these scripts, or tsreg by the name of cargo?
is_tsreg() {
  [ "$1" -ef "$tsreg" ] && return 0
  {
    IFS= read -r line
    case $line in '#!'*) lines=9 ;; *) lines=0 ;; esac
    while [ "$lines" -gt 0 ] && IFS= read -r line; do
      case $line in '${SHIM_MARK}'* | *${OWN_MARK}*) return 0 ;; esac
      lines=$((lines - 1))
    done
  } 2>/dev/null <"$1"
  return 1
}

# Finds the first cargo on the PATH that is neither.
next_cargo() {
  rest=$PATH:
  while [ -n "$rest" ]; do
    cargo=\${rest%%:*}/cargo
    rest=\${rest#*:}
    case $cargo in /*) ;; *) continue ;; esac
    [ -f "$cargo" ] && [ -x "$cargo" ] && ! is_tsreg "$cargo" && return 0
  done
  return 1
}

# Is there anything that could make a word an alias?
has_configuration() {
  [ -z "$moved" ] || return 0
  case $(export -p) in *CARGO_ALIAS_*) return 0 ;; esac
  home=\${CARGO_HOME:-\${HOME-}/.cargo}
  [ -e "$home/config.toml" ] || [ -e "$home/config" ] && return 0
  folder=$PWD
  while :; do
    [ -e "$folder/.cargo/config.toml" ] || [ -e "$folder/.cargo/config" ] && return 0
    [ -n "$folder" ] || return 1
    folder=\${folder%/*}
  done
}

command= version= skip= moved= is_first=1
for arg do
  if [ -n "$skip" ]; then
    skip=
  elif [ -n "$is_first" ] && [ "\${arg#+}" != "$arg" ]; then
    :
  else
    case $arg in
      --config | --color | --explain) skip=1 ;;
      --version) version=1 ;;
      --) break ;;
      --*) ;;
      -?*)
        switches=\${arg%%[CZ]*}
        value=\${arg#"$switches"}
        case $switches in *V*) version=1 ;; esac
        case $value in C*) moved=1 ;; esac
        case $value in ?) skip=1 ;; esac
        ;;
      *)
        command=$arg
        break
        ;;
    esac
  fi
  is_first=
done

case $command in
  ${CARGO_COMMANDS.join(' | ')}) next_cargo && exec "$cargo" "$@" ;;
  help) next_cargo && exec "$cargo" "$@" ;;
  '') [ -z "$version" ] && next_cargo && exec "$cargo" "$@" ;;
  ${commands.join(' | ')}) ;;
  *) has_configuration || { next_cargo && exec "$cargo" "$@"; } ;;
esac

export TSREG_COMPAT=cargo TSREG_SHIM="$self"
if [ ! -f "$tsreg" ]; then
  echo "error: tsreg is no longer in $tsreg

help: install tsreg, and run \\\`tsreg shim \${self%/*}\\\`" >&2
  exit 101
fi
[ -n "$node" ] || exec "$tsreg" "$@"
[ -x "$node" ] && exec "$node" "$tsreg" "$@"
command -v node >/dev/null && exec node "$tsreg" "$@"
echo "error: Node is no longer in $node, and not on the PATH

help: install Node 20.19 or newer" >&2
exit 101
`;
}

/** Returns the script for Windows, which passes everything to tsreg. */
export function windowsShim({ node, program }: Omit<ShimTarget, 'commands'>): string {
  // In a batch file, `%%` is a percent sign.
  const escapePercent = (text: string): string => text.replaceAll('%', '%%');
  const throughNode = (nodePath: string): readonly string[] => [
    `set "TSREG_NODE=${escapePercent(nodePath)}"`,
    'if not exist "%TSREG_NODE%" set "TSREG_NODE=node"',
    `"%TSREG_NODE%" "${escapePercent(program)}" %*`,
  ];
  const lines = [
    '@echo off',
    `rem ${ABOUT}`,
    'setlocal',
    'set "TSREG_COMPAT=cargo"',
    'set "TSREG_SHIM=%~f0"',
    ...(node === null ? [`"${escapePercent(program)}" %*`] : throughNode(node)),
    'exit /b %errorlevel%',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Returns a word that `sh` reads as `text`. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
