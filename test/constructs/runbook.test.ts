import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { propertiesOf } from '../support/template-values.ts';

const [, alarmChapter = ''] = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8').split(
  '# Alarms\n',
);
const sections = new Map(
  alarmChapter
    .split('\n## ')
    .slice(1)
    .map((section) => [/^`(.*)`/.exec(section)?.[1], section]),
);

const alarms = propertiesOf(holdfastTemplate(), 'AWS::CloudWatch::Alarm').map(({ AlarmName, AlarmDescription }) => ({
  name: String(AlarmName).replace('acme-', ''),
  severity: /^\[(\w+)\]/.exec(String(AlarmDescription))?.[1] ?? '',
}));

describe('the runbook', () => {
  it('has a section for every alarm, and for nothing else', () => {
    expect([...sections.keys()].toSorted()).toEqual(alarms.map(({ name }) => name).toSorted());
  });

  it.each(alarms)('says of $name what it is, how severe, where to look and what to do', ({ name, severity }) => {
    const section = sections.get(name);

    expect(section).toMatch(new RegExp(`^\\*Description\\.\\* \\*\\*${severity}\\.\\*\\* `, 'im'));
    expect(section).toMatch(/^\*Investigation\.\* \S/m);
    expect(section).toMatch(/^\*Resolution\.\* \S/m);
  });
});
