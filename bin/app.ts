import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readAppSettings } from '../lib/stacks/app-settings.ts';
import { HoldfastStack } from '../lib/stacks/holdfast-stack.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

const settings = readAppSettings(app.node.tryGetContext('holdfast'));
new HoldfastStack(app, settings.name, { settings });
