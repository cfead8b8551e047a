import { Stack, Tags } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { type Deployment, deploymentParameter } from '../contract/deployment.ts';
import { ArtifactBucket } from './artifact-bucket.ts';
import { CatalogueSync } from './catalogue-sync.ts';
import { CheckTasks } from './check-tasks.ts';
import { Dispatcher } from './dispatcher.ts';
import { EventTopic } from './event-topic.ts';
import type { HoldfastProps } from './holdfast-props.ts';
import { type HoldfastSettings, withDefaults } from './holdfast-settings.ts';
import { Monitoring } from './monitoring.ts';
import { propProblems } from './prop-problems.ts';
import { Recorder } from './recorder.ts';
import { RunnerCluster } from './runner-cluster.ts';
import { runnerImage } from './runner-image.ts';
import { ServiceAlarms } from './service-alarms.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceDashboard } from './service-dashboard.ts';
import { StateTable } from './state-table.ts';

/**
 * Drift detection for the Terraform stacks of a catalogue: checks them when they are due, remembers what it found, and
 * tells a topic what has changed.
 *
 * ```ts
 * const holdfast = new Holdfast(stack, 'Holdfast', {
 *   catalogue: { url: 'https://github.com/acme/catalogue' },
 *   gitCredentials: { 'github.com': Secret.fromSecretNameV2(stack, 'Git', 'holdfast/github') },
 *   alarmTopics: { high: pagerTopic },
 * });
 * holdfast.topic.addSubscription(new SqsSubscription(queue));
 * ```
 *
 * ## Limitations
 *
 * - Accounts that are checked need a plan role that trusts `runnerRole`: `holdfast spoke-roles` prints one.
 * - Deploying builds the runner's image with Docker, unless `runnerImage` names one. Synthesising does not.
 */
export class Holdfast extends Construct {
  /** Carries the drift events of all stacks. */
  readonly topic: Topic;
  readonly table: Table;
  readonly bucket: Bucket;
  /** Whom checks act as before they assume a plan role. */
  readonly runnerRole: IRole;
  readonly dashboard: Dashboard;
  /** Tells the command line where everything is. */
  readonly parameter: StringParameter;

  /** Throws with everything that is wrong with the props. */
  constructor(scope: Construct, id: string, props: HoldfastProps) {
    super(scope, id);
    const problems = propProblems(props);
    if (problems.length > 0) throw new Error(`${this.node.path} can't be made:\n- ${problems.join('\n- ')}`);

    const settings = withDefaults(this, props);
    const context = makeContext(this, settings);
    const stores = makeStores(this, settings);
    const runner = makeRunner(this, settings, { context, artifacts: stores.artifacts });
    const dispatcher = new Dispatcher(this, 'Dispatcher', { ...settings, ...stores, ...runner, context });
    const recorder = new Recorder(this, 'Recorder', { ...stores, ...runner, context });
    const sync = new CatalogueSync(this, 'Catalogue', { ...settings, ...stores, ...runner, context });

    this.topic = stores.events.topic;
    this.table = stores.table.table;
    this.bucket = stores.artifacts.bucket;
    this.runnerRole = runner.checks.role;
    const watched = {
      context,
      topic: this.topic,
      functions: [dispatcher, recorder, sync].map(({ service }) => service),
    };
    new ServiceAlarms(this, 'Alarms', watched);
    this.dashboard = new ServiceDashboard(this, 'Dashboard', watched).dashboard;
    this.parameter = this.#publish(settings.name, dispatcher.service.function.functionName);
    Tags.of(this).add('holdfast:deployment', settings.name, { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] });
  }

  #publish(name: string, dispatcherName: string): StringParameter {
    const { region } = Stack.of(this);
    const deployment: Deployment = {
      region,
      tableName: this.table.tableName,
      artifactsBucket: this.bucket.bucketName,
      topicArn: this.topic.topicArn,
      dispatcherName,
    };
    return new StringParameter(this, 'Deployment', {
      parameterName: deploymentParameter(name),
      description: `Where the parts of Holdfast ${name} are`,
      stringValue: Stack.of(this).toJsonString(deployment),
    });
  }
}

function makeContext(scope: Construct, settings: HoldfastSettings): ServiceContext {
  const { name, alarmTopics, runbookUrl, logRetention, removalPolicy } = settings;
  const monitoring = new Monitoring(scope, 'Monitoring', { deployment: name, topics: alarmTopics, runbookUrl });
  return { deployment: name, monitoring, logRetention, removalPolicy };
}

function makeStores(scope: Construct, settings: HoldfastSettings) {
  const { name, removalPolicy, planRetention, resultRetention } = settings;
  const key = new Key(scope, 'Key', {
    alias: `holdfast/${name}`,
    description: `Holdfast ${name}: artefacts and events`,
    enableKeyRotation: true,
    removalPolicy,
  });
  return {
    table: new StateTable(scope, 'Table', { removalPolicy }),
    artifacts: new ArtifactBucket(scope, 'Artifacts', { key, planRetention, resultRetention, removalPolicy }),
    events: new EventTopic(scope, 'Events', { key }),
  };
}

function makeRunner(
  scope: Construct,
  settings: HoldfastSettings,
  { context, artifacts }: { readonly context: ServiceContext; readonly artifacts: ArtifactBucket },
) {
  const image = runnerImage(scope, settings);
  const cluster = new RunnerCluster(scope, 'Cluster', { context, network: settings.network });
  return {
    cluster,
    image,
    checks: new CheckTasks(scope, 'Checks', { ...settings, context, cluster, artifacts, image }),
  };
}
