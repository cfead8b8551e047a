/** Does each piece of work once: callers with the same key share one result. A failure is forgotten, so it can be retried. */
export function createSingleFlight<T>(): (key: string, start: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, start) => {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const flight = start().catch((error) => {
      flights.delete(key);
      throw error;
    });
    flights.set(key, flight);
    return flight;
  };
}
