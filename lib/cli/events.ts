import { formatEvent } from './format-event.ts';
import { createPaint } from './palette.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export interface EventsOptions extends ServiceChoice {
  readonly json?: boolean | undefined;
}

/** `holdfast events --follow`: events as they are published, until interrupted. Resolves with the exit code. */
export async function runEvents(services: Services, options: EventsOptions): Promise<number> {
  const { output, signal } = services;
  const paint = createPaint(output);
  return withService(services, options, async (service) => {
    const events = await service.events.follow(signal);
    output.say(`following the events of ${service.name}, until Ctrl-C`);
    for await (const event of events) {
      output.print(`${options.json === true ? JSON.stringify(event) : formatEvent(event, paint)}\n`);
    }
    return 0;
  });
}
