import { resumeStack } from '../app/resume-stack.ts';
import { suspensionOf } from '../domain/suspension.ts';
import { describeNext } from './format-status.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

/** `holdfast resume STACK`. Resolves with the exit code: 1 where the catalogue keeps the stack suspended. */
export async function runResume(services: Services, stackId: string, options: ServiceChoice): Promise<number> {
  const { output, clock } = services;
  return withService(services, options, async (service) => {
    const stack = await resumeStack({ ...service, clock }, { stackId });
    const reason = suspensionOf(stack);
    if (reason === null) {
      output.say(`${stackId} is checked again: ${describeNext(stack, clock.now())}`);
      return 0;
    }
    output.say(`${stackId} stays suspended by the catalogue: ${reason}`);
    return 1;
  });
}
