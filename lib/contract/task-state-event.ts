import * as z from 'zod';

/**
 * `ECS Task State Change`, as far as it is read. A task that never ran has containers without exit code, and one that
 * AWS is about to take back sends this too, before it stops.
 */
export const TaskStateEvent = z.object({
  source: z.literal('aws.ecs'),
  'detail-type': z.literal('ECS Task State Change'),
  detail: z.object({
    taskArn: z.string(),
    lastStatus: z.string(),
    /** What the dispatcher gives `RunTask`: the id of the run. */
    startedBy: z.string().optional(),
    stopCode: z.string().optional(),
    stoppedReason: z.string().optional(),
    containers: z.array(z.object({ name: z.string(), exitCode: z.int().optional(), reason: z.string().optional() })),
  }),
});
export type TaskStateEvent = z.infer<typeof TaskStateEvent>;
