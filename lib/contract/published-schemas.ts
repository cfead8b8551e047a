import * as z from 'zod';
import { catalogueJsonSchema } from './catalogue-schema.ts';
import { Result } from './result-schema.ts';
import { RulesFile } from './rules-schema.ts';

/** The JSON schemas in `docs/`, by file name: for readers of results, and for editors that help to write the rest. */
export const PUBLISHED_SCHEMAS: Readonly<Record<string, object>> = {
  'catalogue.schema.json': catalogueJsonSchema(),
  'result.schema.json': z.toJSONSchema(Result),
  // People write rules: what has a default may be left out.
  'rules.schema.json': z.toJSONSchema(RulesFile, { io: 'input' }),
};
