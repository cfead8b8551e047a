import { type ServiceProcess, startService } from './service-process.ts';

export interface Moto extends Omit<ServiceProcess, 'said'> {
  /** Base URL of all its services, on the loopback interface. */
  readonly endpoint: string;
}

/** Starts a `moto_server`, an emulator of most AWS services, on a free port. Its account is empty. */
export async function startMoto(file: string, env: Readonly<Record<string, string>>): Promise<Moto> {
  const args = ['-H', '127.0.0.1', '-p', '0'];
  const { said, ...service } = await startService({ file, args, env, ready: /Running on (http:\S+)\s/ });
  return { ...service, endpoint: said };
}
