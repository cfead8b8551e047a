import type { ArtifactStore, RunFile, RunReport } from '../ports/artifact-store.ts';
import type { RunTrail } from './run-trail.ts';

export interface KeepArtifactsDeps {
  readonly artifacts: ArtifactStore;
}

export interface KeepArtifactsInput {
  readonly report: RunReport;
  readonly trail: RunTrail;
}

/**
 * Writes down what a run found: the report last, because a run that has one is finished. Everything else may fail
 * without taking the verdict with it. A run without anything to show leaves no plan: nobody will apply it.
 */
export async function keepArtifacts(
  { artifacts }: KeepArtifactsDeps,
  { report, trail }: KeepArtifactsInput,
): Promise<void> {
  const { stackId, runId, result } = report;
  const keep = (file: RunFile) =>
    artifacts.putFile(stackId, runId, file).catch((error: unknown) => {
      trail.note(`${file.name} was not kept: ${error instanceof Error ? error.message : String(error)}`);
    });
  for (const file of planFiles(trail)) await keep(file);
  trail.note(`${result.verdict}${result.failure === null ? '' : `: ${result.failure.message}`}`);
  await keep({ name: 'run.log', content: trail.log() });
  await artifacts.putReport(report);
}

function planFiles(trail: RunTrail): readonly RunFile[] {
  const { document, planFile } = trail.plan() ?? {};
  return [
    ...(planFile === undefined ? [] : [{ name: 'plan.tfplan', content: planFile.content } as const]),
    ...(document === undefined ? [] : [{ name: 'plan.json', content: document } as const]),
    ...(planFile?.state == null
      ? []
      : [{ name: 'state-identity.json', content: `${JSON.stringify(planFile.state)}\n` } as const]),
  ];
}
