import { REPORT_OBJECT, runPrefix, SPEC_OBJECT } from '../contract/keys.ts';
import type { ArtifactStore } from '../ports/artifact-store.ts';
import { toJsonText } from './json-text.ts';
import { parseReport, parseSpec } from './run-files.ts';

/** Keeps files in a map, by the key they would have in a bucket. */
export function createMemoryArtifactStore(
  objects: Map<string, string | Uint8Array> = new Map<string, string | Uint8Array>(),
): ArtifactStore {
  const keyOf = (stackId: string, runId: string, name: string) => `${runPrefix(stackId, runId)}${name}`;
  const getText = (key: string): string | undefined => {
    const content = objects.get(key);
    return content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content;
  };
  return {
    putSpec: async (spec) => {
      objects.set(keyOf(spec.stack.id, spec.runId, SPEC_OBJECT), toJsonText(spec));
    },
    getSpec: async (stackId, runId) => parseSpec(getText(keyOf(stackId, runId, SPEC_OBJECT)), stackId, runId),
    putReport: async (report) => {
      const key = keyOf(report.stackId, report.runId, REPORT_OBJECT);
      if (!objects.has(key)) objects.set(key, toJsonText(report));
    },
    getReport: async (stackId, runId) => {
      const text = getText(keyOf(stackId, runId, REPORT_OBJECT));
      return text === undefined ? undefined : parseReport(text, stackId, runId);
    },
    putFile: async (stackId, runId, { name, content }) => {
      objects.set(keyOf(stackId, runId, name), content);
    },
    getLog: async (stackId, runId) => getText(keyOf(stackId, runId, 'run.log')),
  };
}
