import { suspendStack } from '../app/suspend-stack.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export interface SuspendOptions extends ServiceChoice {
  readonly reason: string;
}

/** `holdfast suspend STACK --reason …`: no more checks until it is resumed. Resolves with the exit code. */
export async function runSuspend(services: Services, stackId: string, options: SuspendOptions): Promise<number> {
  const { output } = services;
  return withService(services, options, async (service) => {
    const { state } = await suspendStack(service, { stackId, reason: options.reason });
    const running = state.inFlight === null ? '' : `; run ${state.inFlight.runId} comes to its end`;
    output.say(`${stackId} is suspended: ${options.reason}${running}`);
    return 0;
  });
}
