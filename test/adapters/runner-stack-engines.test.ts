import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareGitSettings } from '../../lib/adapters/git-environment.ts';
import { createRunnerStackEngines } from '../../lib/adapters/runner-stack-engines.ts';
import { PreciseNumber } from '../../lib/domain/json.ts';
import type { StackEngineRequest } from '../../lib/ports/stack-engines.ts';
import { aPlanRequest } from '../support/fake-run.ts';
import { aGitServer } from '../support/git-http-server.ts';
import { aRepository } from '../support/git-repository.ts';
import { aFolder } from '../support/temporary-folder.ts';
import { findTools, TEST_CACHE } from '../support/tools.ts';

const LOGIN = { username: 'bot', password: 'git-password' };

async function engines({ host = 'git.example' } = {}) {
  const { terraform } = await findTools();
  const folder = await aFolder();
  const git = await prepareGitSettings({
    credentials: [{ kind: 'password', host, ...LOGIN }],
    protocols: ['http'],
    folder: join(folder, 'git'),
  });
  const { PATH = '' } = process.env;
  const stackEngines = createRunnerStackEngines({
    ...{ folder, git, cacheDir: TEST_CACHE, salt: 'salt', say: () => {} },
    task: { PATH: `${join(terraform.path, '..')}:${PATH}`, HOME: folder },
  });
  return { stackEngines, folder };
}

const aRequest = (over: Partial<StackEngineRequest> = {}): StackEngineRequest => ({
  engine: { name: 'terraform', constraint: null },
  settings: {},
  region: null,
  credentials: null,
  vars: {},
  log: { command: () => {}, diagnostic: () => {} },
  ...over,
});

describe('the engine of a stack', () => {
  it('gets variables in a file that only this user can read, to the last digit', async () => {
    const { stackEngines } = await engines();
    const vars = { size: new PreciseNumber('12345678901234567890.5'), names: ['a', `\${b}`], none: null };
    const { varFiles } = await stackEngines.open(aRequest({ vars }));
    const [file = ''] = varFiles;
    expect(await readFile(file, 'utf8')).toBe(`{"size":12345678901234567890.5,"names":["a","\${b}"],"none":null}`);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  });

  it('gets no file where there are no variables', async () => {
    const { stackEngines } = await engines();
    expect((await stackEngines.open(aRequest())).varFiles).toEqual([]);
  });

  it('passes variables on as they are', async () => {
    const { stackEngines } = await engines();
    const main = `variable "big" {}
variable "text" {}
output "both" { value = "\${var.big} \${var.text}" }
`;
    const vars = { big: new PreciseNumber('12345678901234567890'), text: `\${not} %{a} template` };
    const { engine, varFiles } = await stackEngines.open(aRequest({ vars }));
    const run = await engine.run({ ...aPlanRequest(await aFolder({ 'main.tf': main })), varFiles });
    const { output_changes: outputs } = JSON.parse(run.document ?? '') as { readonly output_changes: object };
    expect(outputs).toMatchObject({ both: { after: `12345678901234567890 \${not} %{a} template` } });
    expect(run.planFile?.content.length).toBeGreaterThan(0);
  });

  it('fetches private modules at init, and loses the credentials for that before the plan', async () => {
    const repository = await aRepository({ 'modules/queue/main.tf': 'variable "name" {}\n' });
    const { host } = await aGitServer({ root: repository.directory, login: LOGIN });
    const { stackEngines, folder } = await engines({ host });
    const main = `module "queue" {
  source = "git::http://${host}/.git//modules/queue?ref=main"
  name   = "a"
}
`;
    const { engine, modules } = await stackEngines.open(aRequest());
    const request = aPlanRequest(await aFolder({ 'main.tf': main }));
    expect((await engine.run(request)).exitCode).toBe(0);
    expect(await readdir(folder)).not.toContain('git');
    expect((await modules.read(request)).digests.basis).toBe('files');
  });

  it('makes the same digests of the same inputs for every run', async () => {
    const request = aPlanRequest(await aFolder({ 'main.tf': 'variable "pin" {}\n' }));
    const digest = async (pin: string) => {
      const { stackEngines } = await engines();
      const { modules } = await stackEngines.open(aRequest({ settings: { TF_VAR_pin: pin } }));
      return (await modules.read(request)).digests.inputs;
    };
    expect(await digest('1234')).toBe(await digest('1234'));
    expect(await digest('1234')).not.toBe(await digest('1235'));
  });

  it('is the one that the stack asks for', async () => {
    const { stackEngines } = await engines();
    const { engine } = await stackEngines.open(aRequest({ engine: { name: 'terraform', constraint: 'nonsense' } }));
    await expect(engine.run(aPlanRequest(await aFolder()))).rejects.toThrow(
      expect.objectContaining({ code: 'ArgumentInvalid' }),
    );
  });

  it('fails on settings that it must not have', async () => {
    const { stackEngines } = await engines();
    await expect(stackEngines.open(aRequest({ settings: { TF_WORKSPACE: 'x' } }))).rejects.toThrow(
      expect.objectContaining({ code: 'ArgumentInvalid' }),
    );
  });
});
