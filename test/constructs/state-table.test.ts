import { RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { StateTable, type StateTableProps } from '../../lib/constructs/state-table.ts';
import { createTableInput } from '../../lib/contract/table.ts';
import { templateOf } from '../support/construct-template.ts';
import { propertiesOf } from '../support/template-values.ts';

const synth = (props: Partial<StateTableProps> = {}) =>
  templateOf((stack) => new StateTable(stack, 'Table', { removalPolicy: RemovalPolicy.RETAIN, ...props }));

const TABLE = 'AWS::DynamoDB::Table';

describe('StateTable', () => {
  it('has the keys and indexes that the stores are written for', () => {
    const { TableName: _, AttributeDefinitions, ...expected } = createTableInput('any');

    const [table] = propertiesOf(synth(), TABLE);

    expect(table).toMatchObject(expected);
    expect(table?.AttributeDefinitions).toEqual(expect.arrayContaining(AttributeDefinitions));
  });

  it('lets items expire', () => {
    synth().hasResourceProperties(TABLE, { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } });
  });

  it('can be restored to any second', () => {
    synth().hasResourceProperties(TABLE, { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  });

  it('is encrypted by a key of KMS', () => {
    synth().hasResourceProperties(TABLE, { SSESpecification: { SSEEnabled: true } });
  });

  it('is protected against deletion', () => {
    synth().hasResourceProperties(TABLE, { DeletionProtectionEnabled: true });
  });

  it('is not protected where everything is to go with the stack', () => {
    synth({ removalPolicy: RemovalPolicy.DESTROY }).hasResourceProperties(TABLE, { DeletionProtectionEnabled: false });
  });

  it('is protected where that is asked for, whatever the removal policy', () => {
    synth({ removalPolicy: RemovalPolicy.DESTROY, deletionProtection: true }).hasResourceProperties(TABLE, {
      DeletionProtectionEnabled: true,
    });
  });

  it('outlives the stack', () => {
    synth().hasResource(TABLE, { DeletionPolicy: 'Retain' });
  });
});
