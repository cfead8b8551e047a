import { parseYaml } from '../../lib/adapters/yaml-document.ts';
import { type LoadedCatalogue, loadCatalogue } from '../../lib/app/load-catalogue.ts';
import { validateCatalogue } from '../../lib/app/validate-catalogue.ts';
import type { CatalogueProblem } from '../../lib/domain/catalogue-problem.ts';
import type { CatalogueRepository } from '../../lib/domain/catalogue-spec.ts';
import { describeLocation } from '../../lib/domain/describe.ts';
import type { ResolvedStack } from '../../lib/domain/resolved-stack.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { CatalogueDocument, CatalogueSource } from '../../lib/ports/catalogue-source.ts';

export const OWN: CatalogueRepository = { url: 'https://git.example.com/acme/infra', ref: 'main' };
export const NOW = new Date('2026-03-02T09:00:00.000Z');

export interface CatalogueWorld {
  /** Root modules by `URL REF`; a list is that of the catalogue's own repository. */
  readonly modules?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  readonly repository?: CatalogueRepository;
}

/** A text for `catalogue.yaml`, or texts by the names of their files. */
export type CatalogueFiles = string | Readonly<Record<string, string>>;

export function aCatalogueSource(files: CatalogueFiles, { modules = [] }: CatalogueWorld = {}): CatalogueSource {
  const texts = typeof files === 'string' ? { 'catalogue.yaml': files } : files;
  return {
    files: async () => Object.entries(texts).map(([name, text]) => aDocument(text, name)),
    rootModules: async ({ url, ref }) => {
      if (Array.isArray(modules)) return url === OWN.url ? modules : undefined;
      return (modules as Readonly<Record<string, readonly string[]>>)[`${url} ${ref}`];
    },
  };
}

export function aDocument(text: string, name = 'catalogue.yaml'): CatalogueDocument {
  const { value, mistakes, losses, locate } = parseYaml(name, text);
  return { name, value, mistakes: [...mistakes, ...losses], locate };
}

export function load(files: CatalogueFiles, world: CatalogueWorld = {}): Promise<LoadedCatalogue> {
  return loadCatalogue({ source: aCatalogueSource(files, world) }, { repository: world.repository ?? OWN });
}

export function validate(files: CatalogueFiles, world: CatalogueWorld = {}): Promise<LoadedCatalogue> {
  const clock = { now: () => NOW };
  return validateCatalogue({ source: aCatalogueSource(files, world), clock }, { repository: world.repository ?? OWN });
}

/** Problems one a line: `3:5 error field-invalid stacks[0].timeout: …`, with the file where it is another one. */
export function told(problems: readonly CatalogueProblem[]): readonly string[] {
  return problems.map(({ severity, code, message, location }) => {
    const place = describeLocation(location).replace(/^catalogue\.yaml:/, '');
    return `${place} ${severity} ${code} ${message}`;
  });
}

export async function stackOf(files: CatalogueFiles, id: string, world: CatalogueWorld = {}): Promise<ResolvedStack> {
  const { stacks, problems } = await load(files, world);
  const stack = stacks.find(({ spec }) => spec.id === id);
  if (stack === undefined || problems.length > 0) throw new Error(`no stack ${id}: ${told(problems).join('; ')}`);
  return stack;
}

export async function specOf(files: CatalogueFiles, id: string, world: CatalogueWorld = {}): Promise<StackSpec> {
  return (await stackOf(files, id, world)).spec;
}
