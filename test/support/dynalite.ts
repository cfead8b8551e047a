import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../lib/adapters/dynamo-client.ts';
import { createTableInput } from '../../lib/contract/table.ts';
import { startDynamo } from '../../lib/local/dynamo-emulator.ts';

export interface Dynalite {
  readonly client: DynamoDBDocumentClient;
  /** Makes an empty table as `lib/contract/table.ts` has it and returns its name. */
  table(): Promise<string>;
  close(): Promise<void>;
}

/** Starts an in-memory DynamoDB inside this process. It refuses items over 400 KiB, but counts characters, not bytes. */
export async function startDynalite(): Promise<Dynalite> {
  const emulator = await startDynamo();
  const { endpoint } = emulator;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamo = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  let tables = 0;
  return {
    client: createDocumentClient(dynamo),
    async table() {
      tables += 1;
      const tableName = `table-${tables}`;
      await dynamo.send(new CreateTableCommand(createTableInput(tableName)));
      while (!(await isActive(dynamo, tableName)));
      return tableName;
    },
    async close() {
      dynamo.destroy();
      await emulator.close();
    },
  };
}

async function isActive(dynamo: DynamoDBClient, tableName: string): Promise<boolean> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: tableName }));
  return Table?.TableStatus === 'ACTIVE';
}
