import type { SecretReference } from '../domain/stack-spec.ts';

export interface SecretSource {
  /** Throws `SecretUnavailable` naming the reference, never a value. */
  get(reference: SecretReference): Promise<string>;
}
