import { type DynamoEmulator, startDynamo } from './dynamo-emulator.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import type { LocalFolder } from './local-folder.ts';

export interface LocalEmulators {
  readonly tables: DynamoEmulator;
  readonly aws: Emulator;
  close(): Promise<void>;
}

/** Starts the emulators on what the folder keeps, the one for queues at the port of the last time where that is free. */
export async function startEmulators({ tables, aws, settings, saveSettings }: LocalFolder): Promise<LocalEmulators> {
  const emulator = await startAt(settings.awsPort, aws);
  const awsPort = Number(new URL(emulator.endpoint).port);
  if (awsPort !== settings.awsPort) await saveSettings({ ...settings, awsPort });
  const dynamo = await startDynamo({ folder: tables }).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  return {
    tables: dynamo,
    aws: emulator,
    async close() {
      await dynamo.close();
      await emulator.close();
    },
  };
}

async function startAt(port: number, folder: string): Promise<Emulator> {
  try {
    return await startEmulator({ port, folder });
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!taken) throw error;
    return startEmulator({ folder });
  }
}
