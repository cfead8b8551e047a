import { awaitCheck, type CheckStep } from '../app/await-check.ts';
import type { ReportOptions } from './options.ts';
import { reportRun } from './run-show.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export interface TriggerOptions extends ServiceChoice, Pick<ReportOptions, 'format' | 'failOn' | 'verbose'> {
  /** How long to wait for the end, in milliseconds. */
  readonly timeout: number;
  readonly quiet?: boolean | undefined;
}

/** `holdfast check --stack STACK`: has the service check a stack now, and waits. Resolves with the exit code. */
export async function runTrigger(services: Services, stackId: string, options: TriggerOptions): Promise<number> {
  const { output, clock, wait, signal } = services;
  const say = options.quiet === true ? () => {} : output.say;
  return withService(services, options, async (service) => {
    const { runId } = await awaitCheck(
      { ...service, clock, wait, onStep: (step) => say(`${stackId}: ${describeStep(step)}`) },
      { stackId, timeoutMs: options.timeout, signal },
    );
    return reportRun(services, service, runId, options);
  });
}

function describeStep(step: CheckStep): string {
  switch (step.kind) {
    case 'requested':
      return step.behind === null ? 'asked for, waiting for the dispatcher' : `asked for, after run ${step.behind}`;
    case 'queued':
      return `run ${step.runId} waits for its task`;
    case 'running':
      return `run ${step.runId} is checking`;
  }
}
