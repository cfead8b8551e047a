import { isJsonArray, isJsonObject, type Json } from './json.ts';

/**
 * What Terraform marks as sensitive beside a value: `true` for the whole, or a structure like the value's own with
 * `true` at sensitive places. `undefined` or `null` where there is none, as in old formats: then everything counts as
 * masked.
 */
export type Mask = Json | undefined;

/** True where the mask covers the whole value. */
export function masksAll(mask: Mask): boolean {
  return mask === undefined || mask === null || mask === true;
}

/** True where the mask covers the value or any part of it. */
export function masksAny(mask: Mask): boolean {
  if (masksAll(mask)) return true;
  if (isJsonArray(mask)) return mask.some(masksAny);
  return isJsonObject(mask) && Object.values(mask).some(masksAny);
}

/** The mask of one member. Members that the mask does not mention are not sensitive. */
export function maskOf(mask: Mask, key: string | number): Mask {
  if (masksAll(mask)) return mask;
  if (typeof key === 'number') return isJsonArray(mask) ? (mask[key] ?? false) : false;
  return isJsonObject(mask) && Object.hasOwn(mask, key) ? (mask[key] as Json) : false;
}

// Terraform's plan JSON gives a coarser mask for blocks in a set than its own view (hashicorp/terraform#29618): where
// one member of a list is sensitive, the positions of the others can't be trusted.
export function masksSomeMember(mask: Mask): boolean {
  return masksAll(mask) || (isJsonArray(mask) && mask.some(masksAny));
}
