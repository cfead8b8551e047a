import { afterAll, describe, expect, it } from 'vitest';
import { type CdkApp, runApp } from '../support/cdk-app.ts';

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly conclusion: string;
    readonly violations: readonly unknown[];
    readonly suppressedViolations?: readonly Acknowledged[];
  }[];
}

interface Acknowledged {
  readonly ruleName: string;
  readonly reason: string;
  readonly acknowledgedId: string;
  readonly acknowledgedAt: string;
  readonly violatingConstructs: readonly { readonly constructPath: string }[];
}

interface Metadata {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

const apps: CdkApp[] = [];
const run = (context?: object) => {
  const app = runApp(context);
  apps.push(app);
  return app;
};
afterAll(() => {
  for (const app of apps) app.remove();
});

const app = run();
const nag = () =>
  (app.read('validation-report.json') as Report).pluginReports.find((r) => r.pluginName === 'AwsSolutions');

const acknowledged = () => nag()?.suppressedViolations ?? [];
const isAcknowledgement = ({ type }: Metadata) => type === 'aws:cdk:acknowledged-rules';

const ECS = 'arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>';

/** `Part/Of/Holdfast: RULE`, without what CDK adds to names. */
const readable = ({ ruleName, violatingConstructs }: Acknowledged) => {
  const rule = ruleName.replace('AwsSolutions-', '').replace(/[0-9A-F]{8}(\.Arn)?(?=>)/, '');
  return violatingConstructs.map(({ constructPath }) => {
    const path = constructPath.replace('holdfast/Holdfast/', '').replace(/(\/DefaultPolicy)?(\/Resource)+$/, '');
    return `${path}: ${rule}`;
  });
};

/** Hashes of code and images change with every line of the service, and say nothing about the infrastructure. */
const withoutHashes = (template: unknown) => JSON.stringify(template, null, 2).replace(/\b[0-9a-f]{64}\b/g, '<hash>');

describe('the app', () => {
  it('synthesises', () => {
    expect(app).toMatchObject({ exitCode: 0 });
  });

  it('is as it was when it was last looked at', async () => {
    await expect(`${withoutHashes(app.read('holdfast.template.json'))}\n`).toMatchFileSnapshot(
      '../fixtures/app/holdfast.template.json',
    );
  });

  it('has no finding of cdk-nag that nobody has acknowledged', () => {
    expect(nag()).toMatchObject({ conclusion: 'success', violations: [] });
  });

  it('acknowledges these findings and no others', () => {
    expect(acknowledged().flatMap(readable).toSorted()).toEqual([
      'Catalogue/DeadLetters: SQS3',
      'Catalogue/Function/Role: IAM5[Resource::*]',
      'Catalogue/Schedule/Timer/DeadLetters: SQS3',
      `Catalogue/Schedule/Timer/Role: IAM5[Resource::${ECS}:task-definition/holdfast-sync-catalogue:*]`,
      'Catalogue/Task: ECS2',
      'Checks/DigestSalt: SMG4',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/plan.json]',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/plan.tfplan]',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/result.json]',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/run.log]',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/spec.json]',
      'Checks/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/state-identity.json]',
      'Checks/Role: IAM5[Resource::arn:<AWS::Partition>:iam::*:role/holdfast-plan-*]',
      'Checks/Role: IAM5[Resource::arn:<AWS::Partition>:iam::*:role/holdfast-plan]',
      'Checks/arm64: ECS2',
      'Cluster/Cluster: ECS4',
      'Cluster/ExecutionRole: IAM5[Resource::*]',
      'Dispatcher/Function/Role: IAM5[Resource::*]',
      'Dispatcher/Function/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/result.json]',
      'Dispatcher/Function/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/spec.json]',
      `Dispatcher/Function/Role: IAM5[Resource::${ECS}:task-definition/holdfast-check-arm64:*]`,
      `Dispatcher/Function/Role: IAM5[Resource::${ECS}:task/<HoldfastCluster>/*]`,
      'Dispatcher/Schedule/Timer/DeadLetters: SQS3',
      'Recorder/DeadLetters: SQS3',
      'Recorder/Function/Role: IAM5[Resource::*]',
      'Recorder/Function/Role: IAM5[Resource::<HoldfastArtifacts>/runs/*/*/result.json]',
    ]);
  });

  it('gives a reason for each of them', () => {
    for (const { reason } of acknowledged()) expect(reason).toMatch(/^.{40,}\.$/);
  });

  it('acknowledges nothing that is not found', () => {
    const found = acknowledged().map(({ acknowledgedAt, acknowledgedId }) => `${acknowledgedAt} ${acknowledgedId}`);

    const said = Object.entries(app.read('holdfast.metadata.json') as Record<string, readonly Metadata[]>)
      .flatMap(([path, entries]) => entries.filter(isAcknowledgement).map(({ data }) => [path.slice(1), data] as const))
      .flatMap(([path, data]) => Object.keys(data).map((id) => `${path} ${id}`))
      .filter((line) => line.includes(' AwsSolutions::'));
    expect(new Set(found)).toEqual(new Set(said));
  });

  it('fails with everything that is wrong with its settings', () => {
    const broken = run({ holdfast: { name: 1, catalogue: {} } });

    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toMatch(/"holdfast" can't be used:\n.*\n.*at name\n.*\n.*at catalogue\.url/);
  });

  it('fails with everything that is wrong with their values', () => {
    const broken = run({ holdfast: { catalogue: { url: 'file:///catalogue' }, maxLaunches: 0 } });

    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toMatch(/holdfast\/Holdfast can't be made:\n- catalogue\.url must .*\n- maxLaunches must/);
  });
});
