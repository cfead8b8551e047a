import { describe, expect, it } from 'vitest';
import { type SpokeOptions, type SpokeRole, spokeRoles } from '../../lib/domain/spoke-roles.ts';

const rolesFor = (over: Partial<SpokeOptions> = {}) =>
  spokeRoles({
    hubAccount: '111122223333',
    externalId: 'ours',
    runnerRole: 'Holdfast-*',
    stateBuckets: ['acme-terraform'],
    stateKeys: ['arn:aws:kms:eu-west-1:444455556666:key/abc'],
    lockTables: ['locks', 'arn:aws:dynamodb:eu-west-1:444455556666:table/central'],
    applyPolicies: ['arn:aws:iam::aws:policy/PowerUserAccess'],
    ...over,
  });

const statementOf = ({ statements }: SpokeRole, sid: string) => statements.find((statement) => statement.sid === sid);

describe('the roles of a spoke account', () => {
  it.each(['plan', 'apply'] as const)(
    'let only the runner of the hub assume the %s role, by the external id',
    (kind) => {
      expect(rolesFor()[kind]).toMatchObject({
        principal: 'arn:<partition>:iam::111122223333:root',
        condition: {
          StringEquals: { 'sts:ExternalId': 'ours' },
          ArnLike: { 'aws:PrincipalArn': 'arn:<partition>:iam::111122223333:role/Holdfast-*' },
          StringLike: { 'sts:RoleSessionName': 'holdfast-*' },
        },
      });
    },
  );

  it('fit into what IAM allows of a policy in a role', () => {
    const many = Array.from({ length: 10 }, (_, at) => `a-rather-long-name-of-a-bucket-${at}`);
    for (const { statements } of Object.values(rolesFor({ stateBuckets: many }))) {
      expect(JSON.stringify(statements.map(({ why, ...statement }) => statement)).length).toBeLessThan(10_240);
    }
  });

  it('have statements that can be told apart', () => {
    for (const { statements } of Object.values(rolesFor())) {
      const sids = statements.map(({ sid }) => sid);
      expect(new Set(sids).size).toBe(sids.length);
      expect(sids.filter((sid) => !/^[A-Za-z0-9]+$/.test(sid))).toEqual([]);
    }
  });
});

describe('the plan role', () => {
  it('may read settings, and states with all that belongs to them', () => {
    const { plan } = rolesFor();
    expect(plan.managedPolicies).toEqual(['arn:<partition>:iam::aws:policy/ReadOnlyAccess']);
    expect(statementOf(plan, 'StateObjects')).toMatchObject({
      actions: ['s3:GetObject'],
      resources: { only: ['arn:<partition>:s3:::acme-terraform/*'] },
    });
    expect(statementOf(plan, 'StateKeys')?.actions).toEqual(['kms:Decrypt']);
    expect(statementOf(plan, 'StateLocks')).toMatchObject({
      actions: ['dynamodb:GetItem'],
      resources: {
        only: [
          'arn:<partition>:dynamodb:*:<account>:table/locks',
          'arn:aws:dynamodb:eu-west-1:444455556666:table/central',
        ],
      },
    });
  });

  it.each([
    ['s3:GetObject', 'NoObjects', ['arn:<partition>:s3:::acme-terraform/*']],
    ['kms:Decrypt', 'NoPlaintext', ['arn:aws:kms:eu-west-1:444455556666:key/abc']],
    [
      'dynamodb:GetItem',
      'NoItems',
      ['arn:<partition>:dynamodb:*:<account>:table/locks', 'arn:aws:dynamodb:eu-west-1:444455556666:table/central'],
    ],
  ])('is denied %s but for the state', (action, sid, exceptions) => {
    expect(statementOf(rolesFor().plan, sid)).toMatchObject({
      effect: 'Deny',
      actions: expect.arrayContaining([action]),
      resources: { except: exceptions },
    });
  });

  it.each(['NoObjects', 'NoPlaintext', 'NoItems'])('is denied all of it by %s where no state is named', (sid) => {
    const { plan } = rolesFor({ stateBuckets: [], stateKeys: [], lockTables: [] });
    expect(statementOf(plan, sid)?.resources).toEqual({ only: ['*'] });
    expect(plan.statements.filter(({ effect }) => effect === 'Allow')).toEqual([]);
  });

  it.each([
    'secretsmanager:GetSecretValue',
    'sqs:ReceiveMessage',
    'logs:GetLogEvents',
    'athena:GetQueryResults',
    'codecommit:GitPull',
    'ec2:GetPasswordData',
    'cognito-idp:ListUsers',
  ])('is denied %s everywhere', (action) => {
    const denied = rolesFor().plan.statements.filter(({ actions }) => actions.includes(action));
    expect(denied).toMatchObject([{ effect: 'Deny', resources: { only: ['*'] } }]);
  });

  it('has no statement that allows a write', () => {
    const allowed = rolesFor().plan.statements.filter(({ effect }) => effect === 'Allow');
    expect(allowed.flatMap(({ actions }) => actions)).toEqual([
      's3:ListBucket',
      's3:GetObject',
      'kms:Decrypt',
      'dynamodb:GetItem',
    ]);
  });
});

describe('the apply role', () => {
  it('may change what its policies say, and write states', () => {
    const { apply } = rolesFor();
    expect(apply.managedPolicies).toEqual(['arn:aws:iam::aws:policy/PowerUserAccess']);
    expect(statementOf(apply, 'StateObjects')?.actions).toEqual(['s3:DeleteObject', 's3:GetObject', 's3:PutObject']);
  });

  it('may change nothing but states where nobody says what', () => {
    expect(rolesFor({ applyPolicies: [] }).apply.managedPolicies).toEqual([]);
  });

  it('can not give more to itself or to the plan role', () => {
    expect(statementOf(rolesFor().apply, 'NotItself')).toMatchObject({
      effect: 'Deny',
      actions: ['iam:*'],
      resources: {
        only: [
          'arn:<partition>:iam::<account>:role/holdfast-plan',
          'arn:<partition>:iam::<account>:role/holdfast-apply',
        ],
      },
    });
  });
});
