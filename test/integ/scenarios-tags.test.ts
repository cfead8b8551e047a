import { AddTagsToResourceCommand, RemoveTagsFromResourceCommand } from '@aws-sdk/client-ssm';
import { expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { parameter } from '../support/parameter.ts';
import { describeScenarios } from '../support/scenario.ts';

// All stacks here have it, since they share one provider.
const PROVIDER = `terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  default_tags {
    tags = { owner = "platform" }
  }
}
`;

const RETAGGED: Finding = {
  address: 'aws_ssm_parameter.level',
  class: 'changed-outside',
  standing: 'drift',
  severity: 'low',
  actions: ['update'],
  paths: ['tags.team', 'tags_all.team'],
  cause: { kind: 'outside-change', inferred: false },
};

describeScenarios('a stack under default tags', (stage) => {
  const tag = (name: string, tags: Readonly<Record<string, string>>) =>
    stage.world.ssm.send(
      new AddTagsToResourceCommand({
        ResourceType: 'Parameter',
        ResourceId: name,
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      }),
    );

  it.concurrent('is in sync once it is applied', async () => {
    const stack = await stage.scenario('tagged', {
      'main.tf': parameter({ name: '/tagged/level' }),
      'provider.tf': PROVIDER,
    });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes({ verdict: 'in-sync', exitCode: 0, hasDocument: false }));
  });

  it.concurrent('has low drift where only a tag of a resource was changed', async () => {
    const name = '/retagged/level';
    const stack = await stage.scenario('retagged', { 'main.tf': parameter({ name }), 'provider.tf': PROVIDER });
    await stack.apply();
    await tag(name, { team: 'nobody' });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'drifted', exitCode: 2, counts: { change: 1 }, findings: [RETAGGED] }),
    );
  });

  it.concurrent('has low drift where a default tag was taken away', async () => {
    const name = '/untagged/level';
    const stack = await stage.scenario('untagged', { 'main.tf': parameter({ name }), 'provider.tf': PROVIDER });
    await stack.apply();
    await stage.world.ssm.send(
      new RemoveTagsFromResourceCommand({ ResourceType: 'Parameter', ResourceId: name, TagKeys: ['owner'] }),
    );
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { change: 1 },
        findings: [{ ...RETAGGED, paths: ['tags_all.owner'] }],
      }),
    );
  });

  it.concurrent('tells an ignored tag from the one beside it', async () => {
    const name = '/ignored/level';
    const more = 'lifecycle {\n    ignore_changes = [tags["scanner"], tags_all["scanner"]]\n  }';
    const stack = await stage.scenario('ignored', {
      'main.tf': parameter({ name, more }),
      'provider.tf': PROVIDER,
    });
    await stack.apply();
    await tag(name, { team: 'nobody', scanner: 'seen' });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { change: 1 },
        findings: [
          RETAGGED,
          {
            ...RETAGGED,
            class: 'changed-outside-unmanaged',
            standing: 'informational',
            severity: 'info',
            paths: ['tags.scanner', 'tags_all.scanner'],
            cause: { kind: 'ignore-changes', inferred: false },
          },
        ],
      }),
    );
  });
});
