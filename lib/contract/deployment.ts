import * as z from 'zod';

/** SSM parameter that tells the command line where a deployment is. */
export const deploymentParameter = (name: string) => `/holdfast/${name}`;

export const Deployment = z.object({
  region: z.string(),
  tableName: z.string(),
  artifactsBucket: z.string(),
  topicArn: z.string(),
  dispatcherName: z.string(),
});
export type Deployment = z.infer<typeof Deployment>;
