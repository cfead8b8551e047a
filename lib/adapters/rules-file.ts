import { RulesFile } from '../contract/rules-schema.ts';
import type { Rules } from '../domain/rules.ts';
import { readYamlFile } from './yaml-file.ts';

/** Reads the file behind `--ignore`. Throws `RulesInvalid` with file, line and column. */
export async function readRulesFile(file: string): Promise<Rules> {
  return readYamlFile(file, {
    schema: RulesFile,
    code: 'RulesInvalid',
    hint: 'see docs/rules.schema.json and the example in README.md, "Ignore rules"',
  });
}
