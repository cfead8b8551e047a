import { type CatalogueContent, type Declared, type StackSettings, settingsOf, within } from './catalogue-content.ts';
import { type CatalogueProblem, errorAt, warningAt } from './catalogue-problem.ts';
import { formatPath } from './path.ts';
import { type TextAt, textsIn } from './placeholders.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';
import { isSecretName } from './secrets.ts';

/** Secrets that stand in the catalogue as they are, by their names, and those that a plain value takes the place of. */
export function lintSecrets(content: CatalogueContent, stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  return [
    ...settingsOf(content).flatMap((settings) => [...literalsIn(settings), ...namedTwice(settings)]),
    ...hidden(stacks),
  ];
}

function namedTwice({
  value: { env = {}, secrets = {} },
  place,
}: Declared<StackSettings>): readonly CatalogueProblem[] {
  return Object.keys(secrets)
    .filter((name) => Object.hasOwn(env, name))
    .map((name) =>
      errorAt(within(place, 'secrets', name), {
        code: 'name-twice',
        message: `${name} stands under env as well`,
        hint: 'Both are environment variables: delete one of them.',
      }),
    );
}

// Terraform takes -var before the environment.
function hidden(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  return stacks.flatMap((stack) =>
    Object.keys(stack.spec.secrets)
      .filter((name) => name.startsWith('TF_VAR_') && Object.hasOwn(stack.spec.vars, name.slice('TF_VAR_'.length)))
      .map((name) => {
        const field = `vars.${name.slice('TF_VAR_'.length)}`;
        return warningAt(placeOfField(stack, field), {
          code: 'secret-hidden',
          message: `${field} takes the place of the secret ${name}`,
          hint: 'Terraform takes vars before the environment: delete one of them.',
        });
      }),
  );
}

function literalsIn({
  value: { env, vars, backendConfig },
  place,
}: Declared<StackSettings>): readonly CatalogueProblem[] {
  return [...textsIn({ env, vars, backendConfig })].filter(isSecret).map(({ path }) => {
    const [section, name] = path;
    return warningAt(within(place, ...path), {
      code: 'secret-literal',
      message: `${formatPath(path)} looks like a secret, and everybody who reads the catalogue can read it`,
      hint: `Keep it in Secrets Manager or Systems Manager, and say where: secrets: { ${section === 'vars' ? `TF_VAR_${name}` : name}: { ssm: /… } }.`,
    });
  });
}

/** An ARN says where a secret is. */
function isSecret({ text, path }: TextAt): boolean {
  if (text === '' || text.startsWith('arn:')) return false;
  return path.some((name) => typeof name === 'string' && isSecretName(name));
}
