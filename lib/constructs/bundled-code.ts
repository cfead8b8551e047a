import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';
import { repositoryPath } from './repository-path.ts';

/** One file, with the AWS SDK: what is tested is what runs, and it starts faster than the copy in the runtime. */
const OPTIONS: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  // CommonJS dependencies call `require`, which ES modules have not.
  banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
};

/**
 * The code of a function, from its TypeScript entry. CDK's own NodejsFunction starts esbuild by npx, which asks the
 * registry at times: synth is to do without a network.
 */
export function bundledCode(entry: string): Code {
  const file = repositoryPath(entry);
  if (!existsSync(file)) throw new Error(`there is no handler ${entry}`);
  return Code.fromAsset(repositoryPath('.'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Asked for, and never used: the local bundling either succeeds or throws.
      image: DockerImage.fromRegistry('scratch'),
      // Never run either: CDK takes two assets of one folder for the same, unless their commands differ.
      command: ['esbuild', entry],
      local: {
        tryBundle(folder) {
          buildSync({ ...OPTIONS, entryPoints: [file], outfile: join(folder, 'index.mjs') });
          return true;
        },
      },
    },
  });
}
