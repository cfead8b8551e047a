import * as z from 'zod';
import { Deployment } from './deployment.ts';

/** State folder of the local mode unless told otherwise, relative to the working directory. */
export const LOCAL_FOLDER = '.holdfast/local';

/** File in the state folder by which commands find a local mode while it runs. */
export const LOCAL_FILE = 'local.json';

/** What takes the place of AWS: its addresses, all on the loopback interface, and the process they end with. */
export const LocalMode = z.object({
  schemaVersion: z.literal(1),
  pid: z.int().min(1),
  /** DynamoDB. */
  tableEndpoint: z.url(),
  /** S3, SNS and SQS. */
  awsEndpoint: z.url(),
  deployment: Deployment,
});
export type LocalMode = z.infer<typeof LocalMode>;

/** The emulators take any credentials; one's own must not be sent to them. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'emulator', secretAccessKey: 'emulator' } as const;
