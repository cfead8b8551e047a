import { resolve } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { ContainerImage, FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, it } from 'vitest';
import type { RunnerArchitecture } from '../../lib/constructs/holdfast-props.ts';
import { type RunnerImageProps, runnerImage } from '../../lib/constructs/runner-image.ts';
import { synthesiseWith } from '../support/construct-template.ts';

const nodeDigest = `sha256:${'0f'.repeat(32)}`;

const synth = (props: Partial<RunnerImageProps> = {}, architectures: readonly RunnerArchitecture[] = ['arm64']) =>
  synthesiseWith((stack) => {
    const image = runnerImage(stack, { runnerImage: undefined, nodeDigest, ...props });
    for (const [index, architecture] of architectures.entries()) {
      new FargateTaskDefinition(stack, `Task${index}`).addContainer('runner', { image: image(architecture) });
    }
  });

const WARNING = Match.stringLikeRegexp('nodeDigest is not set');

describe('runnerImage', () => {
  it('is built by the Dockerfile of the runner, on the Node image that is named', () => {
    expect(synth().images).toEqual([
      expect.objectContaining({
        source: {
          directory: resolve(import.meta.dirname, '../..'),
          dockerFile: 'runner-image/Dockerfile',
          dockerBuildArgs: { NODE_DIGEST: nodeDigest },
          platform: 'linux/arm64',
        },
      }),
    ]);
  });

  it('is built once for tasks of one architecture', () => {
    expect(synth({}, ['arm64', 'arm64']).images).toHaveLength(1);
  });

  it('is built once for every architecture', () => {
    const platforms = synth({}, ['arm64', 'amd64']).images.map(({ source }) => source.platform);

    expect(platforms.toSorted()).toEqual(['linux/amd64', 'linux/arm64']);
  });

  it('warns that it can not be built without the digest of the Node image', () => {
    synth({ nodeDigest: undefined }).annotations.hasWarning('/Test', WARNING);
  });

  it('is not built where there is one', () => {
    const image = ContainerImage.fromRegistry('acme/runner:1');

    const { template, images } = synth({ runnerImage: image });

    expect(images).toEqual([]);
    template.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [Match.objectLike({ Image: 'acme/runner:1' })],
    });
  });

  it('asks for no digest where there is an image', () => {
    const image = ContainerImage.fromRegistry('acme/runner:1');

    synth({ runnerImage: image, nodeDigest: undefined }).annotations.hasNoWarning('*', Match.anyValue());
  });
});
