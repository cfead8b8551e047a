import type { InputDigests } from './finding.ts';
import { asObject, canonicalJson, type JsonObject } from './json.ts';
import type { PlanDocument } from './plan-document.ts';
import { isSecretName } from './secrets.ts';

/**
 * Digests of what a plan document says it was made from. Values of sensitive variables are left out: a short secret
 * could be guessed from a digest (field case D8).
 */
export function digestDocument({ raw }: PlanDocument, sha256: (text: string) => string): InputDigests {
  return {
    basis: 'document',
    // Terraform writes the section in one order always, and it can be large.
    config: sha256(JSON.stringify(raw.configuration ?? null)),
    inputs: sha256(canonicalJson(knownInputs(raw))),
    providers: null,
  };
}

function knownInputs(raw: JsonObject): JsonObject {
  const declared = asObject(asObject(asObject(raw.configuration).root_module).variables);
  const harmless = Object.entries(asObject(raw.variables)).filter(
    ([name]) => asObject(declared[name]).sensitive !== true && !isSecretName(name),
  );
  return Object.fromEntries(harmless.map(([name, variable]) => [name, asObject(variable).value ?? null]));
}
