import { startDynamo } from '../lib/local/dynamo-emulator.ts';

// Apart from what is measured: its time is not the handlers' time. Ends with the process that started it.
const { endpoint } = await startDynamo();
process.send?.(endpoint);
process.on('disconnect', () => process.exit());
