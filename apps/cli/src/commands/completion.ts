import { Argument, Command } from 'commander';
import { completionScripts, isShell } from '../completion/scripts.ts';

const EXAMPLES = `
Examples:
  source <(pets completion bash)                             this session; also in ~/.bashrc
  pets completion zsh > "\${fpath[1]}/_pets"
  pets completion fish > ~/.config/fish/completions/pets.fish
`;

export const completion = (program: Command): Command =>
  new Command('completion')
    .description('print a script that completes commands and options')
    .addArgument(new Argument('<shell>').choices(Object.keys(completionScripts)))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => {
      if (isShell(shell)) console.log(completionScripts[shell](program));
    });
