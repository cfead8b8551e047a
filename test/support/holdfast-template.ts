import type { Stack } from 'aws-cdk-lib';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Holdfast } from '../../lib/constructs/holdfast.ts';
import type { HoldfastProps } from '../../lib/constructs/holdfast-props.ts';
import { templateOf } from './construct-template.ts';

/** The template of a deployment called `acme`, whose ids all begin with `H`. */
export const holdfastTemplate = (props: (stack: Stack) => Partial<HoldfastProps> = () => ({})) =>
  templateOf(
    (stack) =>
      new Holdfast(stack, 'H', {
        name: 'acme',
        catalogue: { url: 'https://github.com/acme/catalogue' },
        runnerImage: ContainerImage.fromRegistry('acme/runner:1'),
        ...props(stack),
      }),
  );
