import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Annotations, Template } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Monitoring, type MonitoringProps } from '../../lib/constructs/monitoring.ts';
import type { ServiceContext } from '../../lib/constructs/service-context.ts';

const context = {
  // These tests read templates, never bundles or images.
  'aws:cdk:bundling-stacks': [],
  'aws:cdk:disable-asset-staging': true,
};

export interface Synthesis {
  readonly template: Template;
  /** What the stack says to whoever synthesises it. */
  readonly annotations: Annotations;
  /** Images that are built when the stack is deployed, with their sources. */
  readonly images: readonly { readonly source: Record<string, unknown> }[];
}

export function synthesise(make: (app: App) => Stack): Synthesis {
  const outdir = mkdtempSync(join(tmpdir(), 'holdfast-cdk-'));
  try {
    const stack = make(new App({ context, outdir, builtinCloudFormationValidation: false }));
    const template = Template.fromStack(stack);
    const assets = JSON.parse(readFileSync(join(outdir, `${stack.artifactId}.assets.json`), 'utf8'));
    return { template, annotations: Annotations.fromStack(stack), images: Object.values(assets.dockerImages) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** A stack with what `build` puts into it. */
export const synthesiseWith = (build: (stack: Stack) => unknown): Synthesis =>
  synthesise((app) => {
    const stack = new Stack(app, 'Test');
    build(stack);
    return stack;
  });

/** The template of a stack with what `build` puts into it. */
export const templateOf = (build: (stack: Stack) => unknown): Template => synthesiseWith(build).template;

/** What constructs of one deployment share. */
export function aContext(stack: Stack, monitoring: Partial<MonitoringProps> = {}): ServiceContext {
  return {
    deployment: 'acme',
    monitoring: new Monitoring(stack, 'Monitoring', {
      deployment: 'acme',
      topics: {},
      runbookUrl: 'https://acme.example/runbook',
      ...monitoring,
    }),
    logRetention: RetentionDays.ONE_WEEK,
    removalPolicy: RemovalPolicy.RETAIN,
  };
}
