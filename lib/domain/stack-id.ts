import { STACK_ID } from './stack-spec.ts';

/** The id that is nearest to a text: lower-case, with `-` for what ids don't have. `undefined` where nothing is left. */
export function toStackId(text: string): string | undefined {
  const id = text
    .toLowerCase()
    .replace(/[^a-z0-9\-/]+/g, '-')
    .replace(/^[-/]+|[-/]+$/g, '');
  return STACK_ID.test(id) ? id : undefined;
}
