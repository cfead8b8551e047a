/** The parts of an update that sets attributes, and removes those that are `undefined`. */
export function updateOf(attributes: Readonly<Record<string, unknown>>) {
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  const clauses = [
    set.length === 0 ? [] : `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`,
    removed.length === 0 ? [] : `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
  ];
  return {
    UpdateExpression: clauses.flat().join(' '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
  };
}

/** Whether a conditional write took place; any error but a failed condition comes through. */
export async function onCondition(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
