import { HoldfastError } from '../domain/errors.ts';
import { disturb } from './demo-disturb.ts';
import { type Cleanup, type DemoWorld, type PrepareDeps, type Prepared, prepare } from './demo-prepare.ts';

export interface DemoDeps extends Omit<PrepareDeps, 'stop' | 'onClose'> {
  readonly signal?: AbortSignal;
}

export interface Demo {
  /**
   * Copies the stacks of `examples` into a folder of their own and has Terraform bring them in sync with an emulator.
   * Throws `EngineMissing`, `UnexpectedExit`, or the reason of `signal` where that was aborted.
   */
  prepare(): Promise<DemoWorld>;
  /** Changes things behind Terraform's back, once prepared. Returns a sentence per stack. */
  disturb(): Promise<readonly string[]>;
  /** Ends whatever the demo started and removes its files; also while it is being prepared, or after that failed. */
  close(): Promise<void>;
}

/** A small company on an AWS emulator, for trying Holdfast without an AWS account. */
export function createDemo({ signal, ...deps }: DemoDeps): Demo {
  const closing = new AbortController();
  const stop = AbortSignal.any(signal ? [closing.signal, signal] : [closing.signal]);
  const cleanups: Cleanup[] = [];
  let prepared: Promise<Prepared> | undefined;
  return {
    async prepare() {
      prepared ??= prepare({ ...deps, stop, onClose: (cleanup) => cleanups.push(cleanup) });
      return (await prepared).world;
    },

    async disturb() {
      if (prepared === undefined) throw new HoldfastError('ArgumentInvalid', 'the demo is not prepared');
      return disturb(await prepared);
    },

    async close() {
      closing.abort(new HoldfastError('Interrupted', 'the demo was closed'));
      await prepared?.catch(() => undefined);
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}
