import { describe, expect, it } from 'vitest';
import { PreciseNumber } from '../../lib/domain/json.ts';
import { secretVariables } from '../../lib/domain/secrets.ts';

describe('secretVariables', () => {
  it('finds values under names that say so, however deep', () => {
    const found = secretVariables({
      size: 3,
      region: 'eu-west-1',
      db_password: 'one',
      databases: [{ name: 'a', credentials: { user: 'two', port: new PreciseNumber('12345678901234567890') } }],
      apiKey: 4,
    });
    expect([...found].sort()).toEqual(['12345678901234567890', '4', 'one', 'two']);
  });

  it('finds none where there are no variables', () => {
    expect([...secretVariables({})]).toEqual([]);
  });
});
