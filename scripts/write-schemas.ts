import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PUBLISHED_SCHEMAS } from '../lib/contract/published-schemas.ts';

const DOCS = join(import.meta.dirname, '../docs');

for (const [name, schema] of Object.entries(PUBLISHED_SCHEMAS)) {
  await writeFile(join(DOCS, name), `${JSON.stringify(schema, null, 2)}\n`);
}
