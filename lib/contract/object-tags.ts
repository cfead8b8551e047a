/** Tag of objects in the artefact bucket that hold attribute values (plan files): the bucket deletes them early. */
export const PLAN_TAG = { key: 'holdfast:content', value: 'plan' } as const;
