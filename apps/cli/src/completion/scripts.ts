import type { Argument, Command, Option } from 'commander';

/**
 * Completion scripts for shells, written from the commands themselves, so that they cannot differ from them.
 * The scripts complete without starting `pets`. (The library @bomb.sh/tab starts it for each key, and completes
 * no file names.)
 */
export const completionScripts = { bash, zsh, fish } satisfies Record<string, (program: Command) => string>;

export const isShell = (name: string): name is keyof typeof completionScripts => name in completionScripts;

/** What may come after an option or as an argument. */
type Values = { choices: readonly string[] } | 'file' | 'text' | 'none';

function valuesOfOption({ argChoices, required, long }: Option): Values {
  if (argChoices) return { choices: argChoices };
  if (!required) return 'none';
  return ['--output', '--journal', '--errors'].includes(long ?? '') ? 'file' : 'text';
}

function valuesOfArgument(argument: Argument | undefined): Values {
  if (argument === undefined) return 'none';
  if (argument.argChoices) return { choices: argument.argChoices };
  return argument.name() === 'file' ? 'file' : 'text';
}

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);
const longNames = (command: Command): string[] => optionsOf(command).flatMap(({ long }) => long ?? []);
const commandNames = (program: Command): string[] => program.commands.map((command) => command.name());

function bash(program: Command): string {
  const reply = (values: Values): string => {
    if (values === 'file') return `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current"))`;
    if (values === 'text' || values === 'none') return ':';
    return `COMPREPLY=($(compgen -W '${values.choices.join(' ')}' -- "$current"))`;
  };
  const afterOptions = program.commands.flatMap((command) =>
    optionsOf(command)
      .filter((option) => valuesOfOption(option) !== 'none')
      .map((option) => `    '${command.name()} ${option.long}') ${reply(valuesOfOption(option))}; return ;;`),
  );
  const words = program.commands.map((command) => {
    const options = `compgen -W '${longNames(command).join(' ')}' -- "$current"`;
    return `    ${command.name()}) if [[ $current == -* ]]; then COMPREPLY=($(${options})); else ${reply(
      valuesOfArgument(command.registeredArguments[0]),
    )}; fi ;;`;
  });
  const first = [...commandNames(program), ...longNames(program)].join(' ');
  return `# bash completion for pets
_pets() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${first}' -- "$current")); return; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${afterOptions.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${words.join('\n')}
  esac
}
complete -o filenames -F _pets pets`;
}

function zsh(program: Command): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const describe = (text: string) => text.replaceAll(/[[\]:]/g, '\\$&');
  const action = (values: Values, name: string): string => {
    if (values === 'none') return '';
    if (values === 'file') return `:${name}:_files`;
    if (values === 'text') return `:${name}: `;
    return `:${name}:(${values.choices.join(' ')})`;
  };
  const cases = program.commands.map((command) => {
    const options = optionsOf(command).map((option) =>
      quote(`${option.long}[${describe(option.description)}]${action(valuesOfOption(option), 'value')}`),
    );
    const [argument] = command.registeredArguments;
    if (argument) options.push(quote(`1${action(valuesOfArgument(argument), argument.name())}`));
    return `    ${command.name()}) _arguments ${options.join(' ')} ;;`;
  });
  const commands = program.commands.map((command) =>
    quote(`${command.name()}:${describe(command.description())}`),
  );
  return `#compdef pets
_pets() {
  if ((CURRENT == 2)); then
    local -a commands=(${commands.join(' ')})
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
# In a folder of fpath, this file is the function; elsewhere it is sourced.
if [[ $funcstack[1] == _pets ]]; then _pets "$@"; else compdef _pets pets; fi`;
}

function fish(program: Command): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const parameters = (values: Values): string => {
    if (values === 'none') return '';
    if (values === 'file') return ' -r -F';
    if (values === 'text') return ' -x';
    return ` -x -a ${quote(values.choices.join(' '))}`;
  };
  const lines = program.commands.flatMap((command) => {
    const condition = `complete -c pets -n '__fish_seen_subcommand_from ${command.name()}'`;
    const options = optionsOf(command).map(
      (option) =>
        `${condition} -l ${option.long?.slice(2)}${parameters(valuesOfOption(option))} -d ${quote(option.description)}`,
    );
    const values = valuesOfArgument(command.registeredArguments[0]);
    return values === 'none' || values === 'text' ? options : [...options, condition + parameters(values)];
  });
  const commands = program.commands.map(
    (command) =>
      `complete -c pets -n __fish_use_subcommand -a ${command.name()} -d ${quote(command.description())}`,
  );
  return ['# fish completion for pets', 'complete -c pets -f', ...commands, ...lines].join('\n');
}
