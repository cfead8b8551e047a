import type { StackSpec } from './stack-spec.ts';

const PRODUCTION = /^(?:prod|prd|production)$/;
const ENVIRONMENT_LABEL = /^(?:environment|env|stage|tier)[:=](.*)$/i;

/**
 * Whether a stack is production: by its label such as `environment:prod` where it has one, else by a word of its id, its
 * labels or its workspace. In doubt it is.
 */
export function isProduction({ id, labels, workspace }: Pick<StackSpec, 'id' | 'labels' | 'workspace'>): boolean {
  const declared = labels.flatMap((label) => ENVIRONMENT_LABEL.exec(label)?.[1] ?? []);
  return (declared.length > 0 ? declared : [id, workspace, ...labels]).some(namesProduction);
}

function namesProduction(text: string): boolean {
  const words = text.toLowerCase().split(/[^a-z]+/);
  return words.some((word, index) => PRODUCTION.test(word) && !/^(?:non|not|pre)$/.test(words[index - 1] ?? ''));
}
