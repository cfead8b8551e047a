import { describe, expect, it } from 'vitest';
import { readAppSettings } from '../../lib/stacks/app-settings.ts';

const catalogue = { url: 'https://github.com/acme/catalogue' };

describe('readAppSettings', () => {
  it('needs no more than a catalogue', () => {
    expect(readAppSettings({ catalogue })).toMatchObject({ name: 'holdfast', network: 'public', catalogue });
  });

  it('reads JSON from the command line', () => {
    expect(readAppSettings(JSON.stringify({ catalogue, name: 'test' }))).toMatchObject({ name: 'test' });
  });

  it.each([
    ['5m', 5],
    ['2h', 120],
    ['7d', 7 * 24 * 60],
  ])('reads the time %s', (text, minutes) => {
    expect(readAppSettings({ catalogue, syncInterval: text }).syncInterval?.toMinutes()).toBe(minutes);
  });

  it.each([
    ['no settings at all', undefined, /expected object/],
    ['an unknown setting', { catalogue, colour: 'red' }, /Unrecognized key: "colour"/],
    [
      'a time without a unit',
      { catalogue, planRetention: '7' },
      /expected a time such as 5m, 1h or 7d\n.*planRetention/,
    ],
    [
      'an unknown network',
      { catalogue, network: 'private' },
      /expected "public", "nat", or an object with vpcId and either publicSubnetIds or privateSubnetIds\n.*network/,
    ],
    ['a log retention that CloudWatch has not', { catalogue, logRetention: 8 }, /logRetention/],
    ['text that is no JSON', '{catalogue:', /is not JSON: \{catalogue:/],
  ])('fails on %s', (_, context, message) => {
    expect(() => readAppSettings(context)).toThrow(message);
  });

  it('fails with every place that is wrong', () => {
    expect(() => readAppSettings({ name: 1, catalogue: {} })).toThrow(/at name[\s\S]*at catalogue\.url/);
  });
});
