import { execFile } from 'node:child_process';

export interface ProgramEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program to its end. Every exit code is an answer; rejects where there is none. */
export function runProgram(file: string, args: readonly string[], { cwd, env }: ProgramOptions): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr });
      else reject(error);
    });
  });
}
