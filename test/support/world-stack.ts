import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ProgramEnd, runProgram } from './run-program.ts';

export interface WorldStack {
  /** Directory of the root module, absolute. */
  readonly directory: string;
  /** Writes files: their content by their path in the directory. `null` removes one. */
  write(files: Readonly<Record<string, string | null>>): Promise<void>;
  /** Runs Terraform in the directory. Every exit code is an answer. */
  terraform(args: readonly string[]): Promise<ProgramEnd>;
  /** Rejects with Terraform's output where `init` or `apply` fails. Returns the output of `apply`. */
  apply(args?: readonly string[]): Promise<string>;
  /**
   * Applies with resources that are there already: their ids by their addresses. Queues should be made this way, as
   * the provider waits for 25 seconds after it made one itself.
   */
  adopt(ids: Readonly<Record<string, string>>): Promise<string>;
}

export interface StackDeps {
  /** Path of the program. */
  readonly terraform: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lockFile: string;
  readonly directory: string;
}

// No endpoint here: the `endpoints` argument makes the provider take five seconds longer for every command.
const PROVIDER = `terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  s3_use_path_style = true
}
`;

export async function createStack(
  { terraform: program, env, lockFile, directory }: StackDeps,
  files: Readonly<Record<string, string>>,
): Promise<WorldStack> {
  const write: WorldStack['write'] = async (changed) => {
    for (const [path, content] of Object.entries(changed)) await writeOne(join(directory, path), content);
  };
  const terraform: WorldStack['terraform'] = (args) => runProgram(program, args, { cwd: directory, env });
  const succeed = async (args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await terraform(args);
    if (exitCode !== 0) throw new Error(`terraform ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
    return stdout;
  };
  const apply: WorldStack['apply'] = async (args = []) => {
    await succeed(['init', '-input=false', '-no-color']);
    return succeed(['apply', '-auto-approve', '-input=false', '-no-color', ...args]);
  };
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(directory);
  await copyFile(lockFile, join(directory, '.terraform.lock.hcl'));
  await write({ 'provider.tf': PROVIDER, ...files });
  return {
    directory,
    write,
    terraform,
    apply,
    async adopt(ids) {
      const blocks = Object.entries(ids).map(([address, id]) => `import {\n  to = ${address}\n  id = "${id}"\n}\n`);
      await write({ 'adopt.tf': blocks.join('\n') });
      const output = await apply();
      await write({ 'adopt.tf': null });
      return output;
    },
  };
}

async function writeOne(path: string, content: string | null): Promise<void> {
  if (content === null) return rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
