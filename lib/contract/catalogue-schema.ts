import * as z from 'zod';
import { exactText, textsOf, textWithPlaceholders } from './catalogue-values.ts';
import { membership, settings } from './stack-settings-schema.ts';

const exact = textsOf(exactText);

/** Where root modules are; without a URL in the repository of the catalogue. */
const repository = {
  url: exact('url').describe('Git URL. Default: the repository that holds the catalogue.').exactOptional(),
  ref: exact('ref')
    .describe('Branch, tag or commit. Default: that of the catalogue, in other repositories HEAD.')
    .exactOptional(),
};

const Glob = exact('path');
const oneOrMore = <Schema extends z.ZodArray>(globs: Schema) => z.union([Glob.transform((glob) => [glob]), globs]);

const Repository = z.strictObject(repository).describe('Where root modules are.');

export const Defaults = z
  .strictObject({
    source: Repository.exactOptional(),
    labels: membership(exactText).labels,
    ...settings(exactText),
  })
  .describe('What holds for every stack unless a context, discover or the stack says otherwise.');

export const Context = z
  .strictObject({
    name: exact('name').describe('Unique over all files.'),
    match: z
      .strictObject({
        labels: z
          .array(exact('pattern'))
          .min(1)
          .describe('Stacks with one of these labels; * stands for any text.')
          .exactOptional(),
        stacks: z
          .array(exact('pattern'))
          .min(1)
          .describe('Stacks with one of these ids; * stands for any text.')
          .exactOptional(),
      })
      .refine(({ labels, stacks }) => labels !== undefined || stacks !== undefined, 'expected labels or stacks')
      .describe('Attaches the context to stacks that fit all of it, beside those that name it.')
      .exactOptional(),
    priority: z
      .int('expected a whole number')
      .min(-1000)
      .max(1000)
      .describe('The higher one wins, of equals the later one. Default: 0.')
      .exactOptional(),
    source: Repository.exactOptional(),
    ...settings(exactText),
  })
  .describe('Settings for some stacks.');

export const Discover = z
  .strictObject({
    paths: oneOrMore(z.array(Glob).min(1, 'expected at least one path')).describe(
      'Root modules: * in a name, ** for any folders, {name} for a part that becomes the label name:part.',
    ),
    exclude: oneOrMore(z.array(Glob))
      .describe('Paths to leave out. Default: **/modules/**, unless paths name modules.')
      .exactOptional(),
    id: exactText(
      /^(?:[a-z0-9\-/]|\{[a-z][a-zA-Z0-9_]*\})+$/,
      'expected an id of a-z, 0-9, - and /, with placeholders such as {path} or {environment}',
    )
      .describe('Ids of the stacks. Default: {path}.')
      .exactOptional(),
    source: Repository.exactOptional(),
    ...membership(textWithPlaceholders),
    ...settings(textWithPlaceholders),
  })
  .describe('Makes a stack of every root module that its paths match.');

export const Stack = z
  .strictObject({
    id: exact('id').describe('Unique over all files, such as prod/network.'),
    source: z
      .strictObject({
        ...repository,
        path: exact('path').describe('Folder of the root module.').exactOptional(),
      })
      .describe('Without a path: more about the stack of this id that discover finds.')
      .exactOptional(),
    ...membership(exactText),
    ...settings(exactText),
  })
  .describe('One stack.');

/** A catalogue file. Several make up one catalogue. */
export const CatalogueFile = z
  .strictObject({
    $schema: z.string().describe('For editors.').exactOptional(),
    defaults: Defaults.exactOptional(),
    contexts: z
      .array(Context)
      .describe('Settings for some stacks, attached by label, by id or by name.')
      .exactOptional(),
    discover: z.array(Discover).describe('Rules that make stacks of root modules.').exactOptional(),
    stacks: z.array(Stack).describe('Single stacks, and more about stacks that are discovered.').exactOptional(),
  })
  .meta({ title: 'Holdfast catalogue' });
export type CatalogueFile = z.output<typeof CatalogueFile>;

/** The same from a distance: parts that are looked at one by one, so that a mistake in one leaves the others readable. */
export const CatalogueOutline = z.strictObject({
  $schema: z.string().exactOptional(),
  defaults: z.unknown().exactOptional(),
  contexts: z.array(z.unknown()).exactOptional(),
  discover: z.array(z.unknown()).exactOptional(),
  stacks: z.array(z.unknown()).exactOptional(),
});

/** The texts of a resolved stack: in the end they all have to be what they would have to be without placeholders. */
export const StackTexts = z.object({
  id: exact('id'),
  source: z.object({ path: exact('path') }),
  workspace: exact('workspace'),
  varFiles: z.array(exact('varFile')),
  secrets: z.record(
    z.string(),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('secrets-manager'), id: exact('secretId'), jsonKey: exact('jsonKey').nullable() }),
      z.object({ kind: z.literal('ssm'), name: exact('parameter') }),
    ]),
  ),
  region: exact('region').nullable(),
  planRole: exact('role').nullable(),
  applyRole: exact('role').nullable(),
  externalId: exact('externalId').nullable(),
  labels: z.array(exact('label')),
  dependsOn: z.array(exact('id')),
  routes: z.array(exact('name')),
  owner: exact('line').nullable(),
  suspended: exact('line').nullable(),
});

/** For editors. Draft 7 is what their YAML support knows. */
export function catalogueJsonSchema() {
  return z.toJSONSchema(CatalogueFile, { io: 'input', target: 'draft-7' });
}

let keys: ReadonlySet<string> | undefined;

/** Names of all fields. */
export function catalogueKeys(): ReadonlySet<string> {
  keys ??= collectKeys();
  return keys;
}

function collectKeys(): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(catalogueJsonSchema(), (name, value) => {
    if (name === 'properties') for (const key of Object.keys(value)) found.add(key);
    return value;
  });
  return found;
}
