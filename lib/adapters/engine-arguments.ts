import semver from 'semver';
import type { PlanRequest } from '../ports/engine-runner.ts';
import type { EngineTool } from './engine-command.ts';

export function initArguments(tool: EngineTool, request: PlanRequest): readonly string[] {
  return [
    '-input=false',
    '-no-color',
    ...(isAtLeast(tool, { terraform: '1.9.0', tofu: '1.7.0' }) ? ['-json'] : []),
    ...request.backendConfig.map((config) => `-backend-config=${config}`),
    ...earlyInputs(tool, request),
  ];
}

export function planArguments(request: PlanRequest, planFile: string): readonly string[] {
  return [
    '-json',
    '-detailed-exitcode',
    '-lock=false',
    '-input=false',
    `-out=${planFile}`,
    ...(request.mode === 'refresh-only' ? ['-refresh-only'] : []),
    ...inputs(request),
  ];
}

export function showArguments(tool: EngineTool, request: PlanRequest, planFile: string): readonly string[] {
  return ['-json', ...earlyInputs(tool, request), planFile];
}

/**
 * Variables for commands other than `plan`. OpenTofu also evaluates module sources and backend settings from them;
 * Terraform does not know the options.
 */
export function earlyInputs(tool: EngineTool, request: PlanRequest): readonly string[] {
  return isAtLeast(tool, { tofu: '1.8.0' }) ? inputs(request) : [];
}

function inputs({ varFiles, vars }: PlanRequest): readonly string[] {
  return [...varFiles.map((file) => `-var-file=${file}`), ...vars.map((assignment) => `-var=${assignment}`)];
}

function isAtLeast(tool: EngineTool, since: Partial<Record<EngineTool['name'], string>>): boolean {
  const wanted = since[tool.name];
  // Without the label of a pre-release, which semver puts before the release.
  const version = semver.coerce(tool.version);
  return wanted !== undefined && version !== null && semver.gte(version, wanted);
}
