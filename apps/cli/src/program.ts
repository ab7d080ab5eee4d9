import { readFileSync } from 'node:fs';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { add } from './commands/add.ts';
import { exportCommand } from './commands/export.ts';
import { get } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { list } from './commands/list.ts';
import { describeError, exitCodeOf, exitCodes } from './exit-code.ts';
import { note } from './terminal.ts';

const HELP = `
The service and the key come from PETSTORE_BASE_URL and PETSTORE_API_KEY.
A command that fails prints one line. Its exit code tells the reason:
1 a failure not listed here         4 there is no such pet
2 wrong options or configuration    5 the API key is not accepted
3 a pet was refused                 6 the service is not available: try again later

Examples:
  pets list --status available
  pets add Ñandú --category 7
  pets list --help
`;

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version }: { version: string } = JSON.parse(manifest);
const program = new Command('pets')
  .description('Lists, adds, imports and exports the pets of a Pet Store service.')
  .version(version)
  .addHelpText('after', HELP);
for (const command of [list, add, get, importCommand, exportCommand]) program.addCommand(command);
// All failures have one form. Commander would end the process itself.
for (const command of [program, ...program.commands]) {
  command.exitOverride().configureOutput({
    // Commander puts its suggestion on a second line.
    outputError: (text, write) => write(text.replace(/^error:/, 'pets:').replace('\n(Did', ' (Did')),
  });
}

/** Runs a command, and sets the exit code of the process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed the error or the help.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    } else {
      note(`pets: ${describeError(error)}`);
      process.exitCode = exitCodeOf(error);
    }
  }
}
