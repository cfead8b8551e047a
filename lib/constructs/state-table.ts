import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { EXPIRY_ATTRIBUTE, TABLE_INDEXES, TABLE_KEY } from '../contract/table.ts';
import { allow } from './allow.ts';

export interface StateTableProps {
  readonly removalPolicy: RemovalPolicy;

  /**
   * Whether DynamoDB refuses to delete the table.
   *
   * @default - it does, unless the removal policy is DESTROY
   */
  readonly deletionProtection?: boolean;
}

/** The one table: stacks, their states, and runs. It holds no attribute values of resources. */
export class StateTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: StateTableProps) {
    super(scope, id);
    this.table = new Table(this, 'Resource', {
      ...keys(TABLE_KEY),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: EXPIRY_ATTRIBUTE,
      deletionProtection: deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    for (const { name, ...key } of TABLE_INDEXES) {
      this.table.addGlobalSecondaryIndex({ indexName: name, ...keys(key), projectionType: ProjectionType.KEYS_ONLY });
    }
  }

  /** Items by their key, and queries of the indexes. No scans: nothing in Holdfast reads the whole table. */
  grantReadWrite(role: Role): void {
    const { tableArn } = this.table;
    const actions = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
      (name) => `dynamodb:${name}`,
    );
    allow(role, { actions, resources: [tableArn] });
    const indexes = TABLE_INDEXES.map(({ name }) => `${tableArn}/index/${name}`);
    allow(role, { actions: ['dynamodb:Query'], resources: indexes });
  }
}

function keys({ partition, sort }: { readonly partition: string; readonly sort: string }) {
  const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
  return { partitionKey: text(partition), sortKey: text(sort) };
}
