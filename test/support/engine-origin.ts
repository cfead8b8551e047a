import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ToolchainOptions } from '../../lib/adapters/toolchain.ts';
import { type Answer, type ReleaseOrigin, sha256, startReleaseOrigin } from './release-origin.ts';
import { engineScript } from './toolchain-machine.ts';
import { buildZip } from './zip-archive.ts';

export interface OriginContent {
  readonly terraform?: readonly string[];
  readonly tofu?: readonly string[];
  /** Versions with a build for another platform only. */
  readonly elsewhere?: readonly string[];
  /** In the place of the list of Terraform releases. */
  readonly index?: string;
  readonly script?: (version: string) => string;
  readonly checksum?: (archive: Buffer) => string;
  readonly wrap?: (answer: Buffer | string) => (response: ServerResponse) => void;
}

/** The origins' own layout, served from one address. */
export async function anEngineOrigin(
  content: OriginContent,
): Promise<ReleaseOrigin & { options: Partial<ToolchainOptions> }> {
  const { terraform = [], tofu = [], elsewhere = [], wrap = (answer) => answer } = content;
  const releases = [
    ...terraform.map((version) => ({ tool: 'terraform', version, folder: `/terraform/${version}` })),
    ...tofu.map((version) => ({
      tool: 'tofu',
      version,
      folder: `/opentofu/opentofu/releases/download/v${version}`,
    })),
  ];
  const answers: Record<string, Answer> = {
    '/terraform/index.json': content.index ?? terraformIndex(terraform, elsewhere),
    '/tofu/api.json': tofuIndex(tofu, elsewhere),
  };
  for (const { tool, version, folder } of releases) {
    const archive = archiveOf(tool, version, content.script);
    const checksum = (content.checksum ?? sha256)(archive);
    const file = `${tool}_${version}_linux_amd64.zip`;
    answers[`${folder}/${file}`] = wrap(archive);
    answers[`${folder}/${tool}_${version}_SHA256SUMS`] = wrap(
      `${sha256('')}  ${tool}_other.zip\n${checksum}  ${file}\n`,
    );
  }
  const origin = await startReleaseOrigin(answers);
  onTestFinished(() => origin.close());
  return { ...origin, options: { origins: { hashicorp: origin.url, opentofu: origin.url, github: origin.url } } };
}

export function archiveOf(tool: string, version: string, script: (version: string) => string = engineScript): Buffer {
  const content = Buffer.from(`#!/bin/sh\n${script(version)}\n`);
  return buildZip([
    { name: 'LICENSE.txt', content: Buffer.from('licence') },
    { name: tool, content },
  ]);
}

function terraformIndex(versions: readonly string[], elsewhere: readonly string[]): string {
  const entry = (version: string, os: string) => [version, { version, builds: [{ os, arch: 'amd64', url: '' }] }];
  const entries = [...versions.map((it) => entry(it, 'linux')), ...elsewhere.map((it) => entry(it, 'solaris'))];
  return JSON.stringify({ name: 'terraform', versions: Object.fromEntries(entries) });
}

function tofuIndex(versions: readonly string[], elsewhere: readonly string[]): string {
  const entry = (id: string, os: string) => ({ id, files: [`tofu_${id}_SHA256SUMS`, `tofu_${id}_${os}_amd64.zip`] });
  return JSON.stringify({
    versions: [...versions.map((id) => entry(id, 'linux')), ...elsewhere.map((id) => entry(id, 'solaris'))],
  });
}

/** Announces the whole and sends half. */
export function breakOff(response: ServerResponse, content: Buffer): void {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, content.length >> 1), () => response.destroy());
}
