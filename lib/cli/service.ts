import { HoldfastError } from '../domain/errors.ts';
import type { ArtifactStore } from '../ports/artifact-store.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { StackStore } from '../ports/stack-store.ts';

/** Which Holdfast a command is about. */
export interface ServiceChoice {
  /**
   * A local mode that runs on this machine: its state folder, or `true` for the usual one.
   *
   * @default - the usual one if it runs, unless something below is given
   */
  readonly local?: string | true | undefined;
  /** Of the AWS configuration files. */
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
  /**
   * Name of the deployment.
   *
   * @default 'holdfast'
   */
  readonly deployment?: string | undefined;
}

/** A Holdfast that checks stacks: a deployment on AWS, or a local mode. */
export interface Service {
  /** For people: `deployment holdfast in eu-west-1`. */
  readonly name: string;
  readonly stacks: StackStore;
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly events: EventFeed;
  close(): void;
}

/**
 * Connects, does the work, and lets go of the connection however that ends. What AWS refuses is `ServiceFailed`: the
 * reader's credentials, rights and network are no bug of ours.
 */
export async function withService<T>(
  { connect }: { readonly connect: (choice: ServiceChoice) => Promise<Service> },
  choice: ServiceChoice,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  let service: Service | undefined;
  try {
    service = await connect(choice);
    return await work(service);
  } catch (error) {
    throw asServiceFailure(error, service?.name ?? 'AWS');
  } finally {
    service?.close();
  }
}

const NETWORK_CODES: readonly unknown[] = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'];

function asServiceFailure(error: unknown, name: string): unknown {
  if (error instanceof HoldfastError || !(error instanceof Error)) return error;
  const network = 'code' in error && NETWORK_CODES.includes(error.code);
  const refused = '$metadata' in error || /CredentialsProvider|Region is missing|TokenProvider/.test(String(error));
  if (!network && !refused) return error;
  const reason = network ? `can't be reached: ${error.message}` : `refused: ${error.name}: ${error.message}`;
  return new HoldfastError('ServiceFailed', `${name} ${reason}`, { cause: error, hint: CHECK_ACCESS });
}

const CHECK_ACCESS = 'check credentials (--profile), --region, and that you may read the table, bucket and topic';
