import { Duration } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { ServiceFunction, type ServiceFunctionProps } from '../../lib/constructs/service-function.ts';
import { aContext, templateOf } from '../support/construct-template.ts';
import { permissionsOf } from '../support/template-values.ts';

const synth = (props: Partial<ServiceFunctionProps> = {}) =>
  templateOf(
    (stack) =>
      new ServiceFunction(stack, 'Recorder', {
        context: aContext(stack),
        name: 'record-run',
        severity: 'high',
        ...props,
      }),
  );

const FUNCTION = 'AWS::Lambda::Function';

describe('ServiceFunction', () => {
  it('runs on Node 24 on arm64', () => {
    synth().hasResourceProperties(FUNCTION, { Runtime: 'nodejs24.x', Architectures: ['arm64'] });
  });

  it('emits metrics under the name of the deployment', () => {
    const Variables = { POWERTOOLS_SERVICE_NAME: 'acme', POWERTOOLS_METRICS_NAMESPACE: 'Holdfast' };

    synth().hasResourceProperties(FUNCTION, { Environment: { Variables: Match.objectLike(Variables) } });
  });

  it('gets the variables that it is given', () => {
    synth({ environment: { COLOUR: 'red' } }).hasResourceProperties(FUNCTION, {
      Environment: { Variables: Match.objectLike({ COLOUR: 'red' }) },
    });
  });

  it('keeps its logs as long as the deployment says', () => {
    synth().hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
  });

  it('logs JSON to its own group', () => {
    synth().hasResourceProperties(FUNCTION, {
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('^RecorderLogs') } },
    });
  });

  it('may log and trace, and nothing else', () => {
    expect(permissionsOf(synth(), 'Recorder')).toEqual([
      'logs:CreateLogStream {RecorderLogs}',
      'logs:PutLogEvents {RecorderLogs}',
      'xray:PutTelemetryRecords *',
      'xray:PutTraceSegments *',
    ]);
  });

  it('has no policy of AWS', () => {
    synth().hasResourceProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
  });

  it('alarms on the first error and links the runbook', () => {
    synth().hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Errors',
      Threshold: 1,
      AlarmDescription: Match.stringLikeRegexp('^\\[high\\] .*runbook#record-run-errors$'),
    });
  });

  it('sends events that fail every time where it is told', () => {
    const template = templateOf((stack) => {
      const onFailure = new SqsDestination(new Queue(stack, 'Failed'));
      new ServiceFunction(stack, 'F', { context: aContext(stack), name: 'record-run', severity: 'high', onFailure });
    });

    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Failed'), 'Arn'] } } },
    });
  });

  it('fails when the timeout is past what Lambda allows', () => {
    expect(() => synth({ timeout: Duration.minutes(16) })).toThrow('timeout must be at most 900 seconds, got 960');
  });

  it('fails when there is no such handler', () => {
    expect(() => synth({ name: 'make-coffee' })).toThrow('make-coffee/index.ts');
  });
});
