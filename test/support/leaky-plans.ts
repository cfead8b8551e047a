import fc from 'fast-check';
import { type Json, type JsonObject, PreciseNumber, showJson } from '../../lib/domain/json.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { ENCODINGS } from './encodings.ts';
import { hclKey } from './hcl-key.ts';

/** Values to be kept secret, made of characters that no name in these documents has. */
export const secretText = fc
  .array(fc.constantFrom(...'QXZJ97"\\ \n<>&%+/=$!*\'é€', '${', '%{'), { minLength: 4, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim().length >= 4);
export const shortText = fc.string({ unit: fc.constantFrom(...'QXZJ97"\\$é'), minLength: 1, maxLength: 3 });
export const secretNumber = fc.oneof(
  fc.integer({ min: 1_000, max: 2 ** 50 }),
  fc.double({ min: 1_000, max: 1e15, noNaN: true }),
  fc.bigInt({ min: 10n ** 20n, max: 10n ** 40n }).map((value) => new PreciseNumber(`${value}1`)),
);

/** How a document says that a value is sensitive: by a change in it, or elsewhere. */
const CHANGE_MARKINGS: readonly ((value: Json) => JsonObject)[] = [
  (value) => ({ before: { hidden: value }, before_sensitive: { hidden: true } }),
  (value) => ({ after: { hidden: { deep: [value] } }, after_sensitive: { hidden: { deep: [true] } } }),
  (value) => ({
    before: { auth: [{ user: 'root' }, { pin: value }] },
    before_sensitive: { auth: [{}, { pin: true }] },
  }),
  (value) => ({ before: { auth: { user: 'root', pin: value } }, before_sensitive: { auth: { pin: true } } }),
  (value) => ({ before: { db_password: value } }),
];
export const DOCUMENT_MARKINGS: readonly ((value: Json) => JsonObject)[] = [
  (value) => ({
    variables: { pin: { value } },
    configuration: { root_module: { variables: { pin: { sensitive: true } } } },
  }),
  (value) => ({ variables: { apiKey: { value } } }),
  (value) => ({ output_changes: { o: { actions: ['update'], before: value, before_sensitive: true } } }),
  (value) => ({ prior_state: { values: { outputs: { o: { value, sensitive: true } } } } }),
];

type Encode = (text: string) => string;

/** What is known of a resource and of the document around it. */
interface Marks {
  readonly change: JsonObject;
  readonly document: JsonObject;
}

const NO_MARKS: JsonObject = { before_sensitive: {}, after_sensitive: {} };
export const anyEncode: fc.Arbitrary<Encode> = fc.constantFrom(...ENCODINGS.map(([, encode]) => encode));
const anyMarksOf = (value: Json): fc.Arbitrary<Marks> =>
  fc.oneof(
    fc.constantFrom(...CHANGE_MARKINGS).map((mark) => ({ change: { ...NO_MARKS, ...mark(value) }, document: {} })),
    fc.constantFrom(...DOCUMENT_MARKINGS).map((mark) => ({ change: NO_MARKS, document: mark(value) })),
  );
export const withMarks = (values: fc.Arbitrary<Json>) =>
  values.chain((value) => fc.record({ value: fc.constant(value), marks: anyMarksOf(value), encode: anyEncode }));

export const textOf = (value: Json) => (typeof value === 'string' ? value : showJson(value));

/** Attributes without a mask that hold copies of a secret: by itself, and written by some program into a longer text. */
function copiesOf(value: Json, encode: Encode): JsonObject {
  const text = textOf(value);
  const inside = text.length < 4 ? '' : encode(text);
  return {
    same: value,
    text,
    url: `mysql://root:${inside}@db`,
    list: ['first', value, text],
    map: { [text]: 'by key', [`role/${inside}`]: 'by longer key', member: text },
    blocks: [{ name: 'one' }, { name: text, more: { [text]: [value] } }],
    policy: `{"Statement":[{"Sid":"${inside}","Effect":"Allow"}]}`,
  };
}

/** A plan in which attributes go that hold copies of a secret, of a resource with copies in its address. */
export function planOf(value: Json, encode: Encode, { change, document }: Marks) {
  const key = hclKey(textOf(value));
  const { before = {}, after = {}, ...masks } = change;
  return readPlanDocument(
    showJson({
      format_version: '1.2',
      resource_changes: [
        {
          address: `module.m[${key}].aws_x.y[${hclKey(`key ${textOf(value)}`)}]`,
          previous_address: `aws_x.y[${key}]`,
          type: 'aws_x',
          change: {
            actions: ['update'],
            before: { ...copiesOf(value, encode), ...(before as JsonObject) },
            after,
            ...masks,
          },
        },
      ],
      ...document,
    }),
  );
}
