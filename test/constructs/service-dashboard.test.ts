import { describe, expect, it } from 'vitest';
import { METRICS } from '../../lib/contract/metrics.ts';
import { Result } from '../../lib/contract/result-schema.ts';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { flatten, propertiesOf } from '../support/template-values.ts';

interface Widget {
  readonly properties: { readonly title: string; readonly metrics?: unknown[]; readonly alarms?: string[] };
}

const template = holdfastTemplate();
const [dashboard] = propertiesOf(template, 'AWS::CloudWatch::Dashboard');
const { widgets }: { widgets: Widget[] } = JSON.parse(flatten(dashboard?.DashboardBody));
const titled = (title: string) => widgets.find(({ properties }) => properties.title === title)?.properties;

describe('ServiceDashboard', () => {
  it('is called after the deployment', () => {
    expect(dashboard?.DashboardName).toBe('acme-drift');
  });

  it('shows the coverage first', () => {
    expect(JSON.stringify(widgets[0])).toContain(`"Holdfast","${METRICS.coverage}","service","acme"`);
  });

  it('shows every verdict there is, and runs without one', () => {
    const shown = JSON.stringify(titled('Checks by verdict'));

    for (const verdict of [...Result.shape.verdict.options, 'lost']) expect(shown).toContain(`"verdict","${verdict}"`);
  });

  it.each(Object.values(METRICS).filter((name) => name !== METRICS.catalogueInvalid))('shows %s', (name) => {
    expect(JSON.stringify(widgets)).toContain(`"Holdfast","${name}"`);
  });

  it('shows all alarms', () => {
    expect(titled('Alarms')?.alarms).toHaveLength(propertiesOf(template, 'AWS::CloudWatch::Alarm').length);
  });
});
