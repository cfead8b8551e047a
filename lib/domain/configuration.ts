import { configAddress, modulePath } from './address.ts';
import { asList, asObject, isJsonArray, isJsonObject, type Json, type JsonObject, valueAt } from './json.ts';
import type { Path } from './path.ts';
import { isSecretName } from './secrets.ts';

/**
 * What the `configuration` section of a plan document says about attributes: whether the configuration sets them, and
 * what feeds them. It has no locals and no lifecycle blocks, so a reference to a local is followed no further.
 */
export interface Configuration {
  /** Whether the configuration sets the attribute; `unknown` where the document does not say. */
  sets(address: string, path: Path): 'yes' | 'no' | 'unknown';
  /** The attribute as the configuration writes it, where that is a literal. */
  literal(address: string, path: Path): Json | undefined;
  /** What the attribute is made from, through variables and module outputs. */
  feeds(address: string, path: Path): Feeds;
  /** What decides whether the resource exists: its `count` or `for_each`. */
  feedsExistence(address: string): Feeds;
  /** What a root output is made from. */
  feedsOutput(name: string): Feeds;
}

export interface Feeds {
  /** Config addresses of resources and data sources (`data.…` in their last part). */
  readonly addresses: ReadonlySet<string>;
  /** True where the trace ends at a local, or at a variable whose value no digest holds: there may be more. */
  readonly opaque: boolean;
}

interface Module {
  readonly path: string;
  readonly parent: Module | undefined;
  /** The call in the parent, with its `expressions`. */
  readonly call: JsonObject;
  readonly body: JsonObject;
}

type Modules = ReadonlyMap<string, Module>;

interface Trace {
  readonly modules: Modules;
  readonly addresses: Set<string>;
  /** Names of root variables. */
  readonly inputs: Set<string>;
  opaque: boolean;
  readonly seen: Set<string>;
}

export function indexConfiguration(raw: JsonObject): Configuration {
  const modules = new Map<string, Module>();
  const resources = new Map<string, JsonObject>();
  const root: Module = {
    path: '',
    parent: undefined,
    call: {},
    body: asObject(asObject(raw.configuration).root_module),
  };
  indexModule(modules, resources, root);
  const resourceOf = (address: string) => asObject(resources.get(configAddress(address)));
  const moduleOf = (address: string) => modules.get(modulePath(configAddress(address)));
  const expressionOf = (address: string, path: Path) =>
    asObject(resourceOf(address).expressions)[String(path[0])] ?? null;
  return {
    sets(address, path) {
      if (!resources.has(configAddress(address))) return 'unknown';
      return Object.hasOwn(asObject(resourceOf(address).expressions), String(path[0])) ? 'yes' : 'no';
    },
    literal: (address, path) => valueAt(asObject(expressionOf(address, path)).constant_value, path.slice(1)),
    feeds(address, path) {
      const expressions = withEach(resourceOf(address), expressionOf(address, path));
      return hideInputs(root, trace(modules, moduleOf(address), expressions));
    },
    feedsExistence: (address) => hideInputs(root, traceExistence(modules, moduleOf(address), resourceOf(address))),
    feedsOutput: (name) => trace(modules, root, [asObject(asObject(root.body.outputs)[name]).expression ?? null]),
  };
}

/** An expression, and what `each` in it stands for. */
function withEach({ for_each_expression }: JsonObject, expression: Json): Json[] {
  const each = JSON.stringify(expression).includes('"each.') ? (for_each_expression ?? null) : null;
  return [expression, each];
}

// Digests leave secrets out, so a baseline does not tell whether they changed.
function hideInputs({ body }: Module, { addresses, inputs, opaque }: Trace): Feeds {
  const declared = asObject(body.variables);
  const isSecret = (name: string) => asObject(declared[name]).sensitive === true || isSecretName(name);
  return { addresses, opaque: opaque || [...inputs].some(isSecret) };
}

function indexModule(modules: Map<string, Module>, resources: Map<string, JsonObject>, module: Module): void {
  modules.set(module.path, module);
  for (const item of asList(module.body.resources)) {
    const resource = asObject(item);
    const data = resource.mode === 'data' ? 'data.' : '';
    resources.set(join(module.path, `${data}${resource.type}.${resource.name}`), resource);
  }
  for (const [name, item] of Object.entries(asObject(module.body.module_calls))) {
    const call = asObject(item);
    indexModule(modules, resources, {
      path: join(module.path, `module.${name}`),
      parent: module,
      call,
      body: asObject(call.module),
    });
  }
}

/** What decides how many instances there are: of the resource, and of every module around it. */
function traceExistence(modules: Modules, module: Module | undefined, resource: JsonObject): Trace {
  const found = trace(modules, module, existence(resource));
  for (let inner = module; inner?.parent !== undefined; inner = inner.parent) {
    for (const expression of existence(inner.call)) traceExpression(found, inner.parent, expression);
  }
  return found;
}

function existence({ count_expression, for_each_expression }: JsonObject): Json[] {
  return [count_expression ?? null, for_each_expression ?? null];
}

function trace(modules: Modules, module: Module | undefined, expressions: readonly Json[]): Trace {
  const found = {
    modules,
    addresses: new Set<string>(),
    inputs: new Set<string>(),
    opaque: false,
    seen: new Set<string>(),
  };
  if (module === undefined) return { ...found, opaque: true };
  for (const expression of expressions) traceExpression(found, module, expression);
  return found;
}

/** Follows every `references` list in an expression, at whatever depth its blocks put it. */
function traceExpression(found: Trace, module: Module, value: Json): void {
  if (isJsonArray(value)) for (const member of value) traceExpression(found, module, member);
  for (const [key, member] of Object.entries(isJsonObject(value) ? value : {})) {
    if (key === 'references') traceReferences(found, module, asList(member).map(String).map(configAddress));
    else if (key !== 'constant_value') traceExpression(found, module, member);
  }
}

// Terraform lists `module.a` beside `module.a.arn`: only where it stands alone it means the whole module.
function traceReferences(found: Trace, module: Module, references: readonly string[]): void {
  for (const reference of references) {
    if (!references.some((other) => other.startsWith(`${reference}.`))) traceReference(found, module, reference);
  }
}

function traceReference(found: Trace, module: Module, reference: string): void {
  const key = `${module.path} ${reference}`;
  if (found.seen.has(key)) return;
  found.seen.add(key);
  const [first = '', second = '', third] = reference.split('.');
  if (first === 'var') traceVariable(found, module, second);
  else if (first === 'module') traceModule(found, module, second, third);
  else if (first === 'local') found.opaque = true;
  else if (first === 'data' && third !== undefined) found.addresses.add(join(module.path, `data.${second}.${third}`));
  else if (second !== '' && !NOT_RESOURCES.has(first)) found.addresses.add(join(module.path, `${first}.${second}`));
}

const NOT_RESOURCES = new Set(['each', 'count', 'path', 'terraform', 'self', 'data']);

function traceVariable(found: Trace, { parent, call }: Module, name: string): void {
  if (parent === undefined) found.inputs.add(name);
  else {
    const expressions = withEach(call, asObject(call.expressions)[name] ?? null);
    for (const expression of expressions) traceExpression(found, parent, expression);
  }
}

function traceModule(found: Trace, module: Module, name: string, output: string | undefined): void {
  const child = found.modules.get(join(module.path, `module.${name}`));
  if (child === undefined) return;
  const outputs = asObject(child.body.outputs);
  const wanted = output === undefined ? Object.values(outputs) : [outputs[output]];
  for (const item of wanted) traceExpression(found, child, asObject(item).expression ?? null);
}

function join(module: string, rest: string): string {
  return module === '' ? rest : `${module}.${rest}`;
}
