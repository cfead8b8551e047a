import { type HclBody, parseHcl } from './hcl-body.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';

/** A configuration file of a module. A file that is no JSON although its name says so has the value `null`. */
export type ModuleFile =
  | { readonly name: string; readonly syntax: 'hcl'; readonly body: HclBody }
  | { readonly name: string; readonly syntax: 'json'; readonly value: Json };

const NAME = /^[^.].*\.(?:tf|tofu)(?:\.json)?$/;

/** True for the names of files Terraform or OpenTofu reads as configuration; it skips hidden ones. */
export function isModuleFileName(name: string): boolean {
  return NAME.test(name);
}

export function parseModuleFile(name: string, text: string): ModuleFile {
  if (!name.endsWith('.json')) return { name, syntax: 'hcl', body: parseHcl(text) };
  try {
    return { name, syntax: 'json', value: parseJson(text) };
  } catch {
    return { name, syntax: 'json', value: null };
  }
}

/** The files in the order in which a later one may override an earlier one. */
export function inLoadOrder(files: readonly ModuleFile[]): readonly ModuleFile[] {
  return files.toSorted((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name));
}

/** OpenTofu prefers `x.tofu` to `x.tf`; Terraform does not know it. */
function rank({ name }: ModuleFile): number {
  const isOverride = /^(?:.*_)?override\.(?:tf|tofu)/.test(name);
  return (isOverride ? 2 : 0) + (/\.tofu(?:\.json)?$/.test(name) ? 1 : 0);
}

/** By code unit: the same everywhere, whatever the locale. */
function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** JSON syntax lets a block, and each level of its labels, be an object or a list of objects. */
export function jsonBodies(value: Json | undefined): readonly JsonObject[] {
  if (isJsonArray(value)) return value.filter(isJsonObject);
  return isJsonObject(value) ? [value] : [];
}
