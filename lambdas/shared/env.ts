import { HoldfastError } from '../../lib/domain/errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** A variable that infrastructure sets. Throws `ArgumentInvalid`, so that a function without it fails when it starts. */
export function requireEnv(name: string, env: Env = process.env): string {
  const value = optionalEnv(name, env);
  if (value !== undefined) return value;
  throw new HoldfastError('ArgumentInvalid', `the environment has no ${name}`, {
    hint: 'lib/contract/env.ts lists what infrastructure sets',
  });
}

/** A variable that holds a whole number of at least 1. Throws `ArgumentInvalid`. */
export function requireCount(name: string, env: Env = process.env): number {
  const value = requireEnv(name, env);
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new HoldfastError('ArgumentInvalid', `${name} is ${JSON.stringify(value)}, expected a number of at least 1`);
}

/** As {@link requireCount}; `null` where the variable is missing. */
export function optionalCount(name: string, env: Env = process.env): number | null {
  return optionalEnv(name, env) === undefined ? null : requireCount(name, env);
}

/** A variable that holds one of a few words. Throws `ArgumentInvalid`. */
export function requireOneOf<Word extends string>(name: string, words: readonly Word[], env: Env = process.env): Word {
  const value = requireEnv(name, env);
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw new HoldfastError('ArgumentInvalid', `${name} is ${JSON.stringify(value)}, expected ${words.join(' or ')}`);
}

/** `undefined` where the variable is missing or empty. */
export function optionalEnv(name: string, env: Env = process.env): string | undefined {
  return env[name] === '' ? undefined : env[name];
}
