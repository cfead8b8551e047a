const tasks = new Set<() => void>();

// One listener for all tasks: many runs at a time would trip Node's warning about leaking listeners.
function runTasks(): void {
  for (const task of [...tasks].reverse()) {
    try {
      task();
    } catch {
      // Nobody is left to be told, and the other tasks still have to run.
    }
  }
}

/**
 * Runs a synchronous task should the process exit first, the latest task before the others. Returns what takes it back.
 *
 * Node exits without this event when a signal ends it: the program has to handle `SIGINT`, `SIGTERM` and `SIGHUP`.
 */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.on('exit', runTasks);
  tasks.add(task);
  return () => {
    tasks.delete(task);
    if (tasks.size === 0) process.off('exit', runTasks);
  };
}
