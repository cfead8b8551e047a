import { Validations } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import type { RunnerArchitecture } from './holdfast-props.ts';
import { repositoryPath } from './repository-path.ts';

export interface RunnerImageProps {
  readonly runnerImage: ContainerImage | undefined;
  readonly nodeDigest: string | undefined;
}

/** The image of the runner for one architecture. */
export type RunnerImage = (architecture: RunnerArchitecture) => ContainerImage;

/** The image that is there, or the one that `runner-image/` describes: hashed at synth, built by Docker at deployment. */
export function runnerImage(scope: Construct, { runnerImage: image, nodeDigest }: RunnerImageProps): RunnerImage {
  if (image) return () => image;
  if (nodeDigest === undefined) {
    const message =
      'nodeDigest is not set: the image of the runner can be hashed, but not built (runner-image/README.md)';
    Validations.of(scope).addWarning('NodeDigestMissing', message);
  }
  return (architecture) =>
    ContainerImage.fromAsset(repositoryPath('.'), {
      file: 'runner-image/Dockerfile',
      platform: architecture === 'arm64' ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
      ...(nodeDigest && { buildArgs: { NODE_DIGEST: nodeDigest } }),
    });
}
