import { Socket } from 'node:net';

// Preloaded into a process and its children by NODE_OPTIONS=--import=…: whoever opens a connection ends with this error.
Socket.prototype.connect = function refuse(...to: unknown[]) {
  process.stderr.write(`network refused: ${JSON.stringify(to[0], ['host', 'port', 'path'])}\n`);
  process.exit(99);
};
