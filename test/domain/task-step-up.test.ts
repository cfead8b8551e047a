import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskSize } from '../../lib/domain/stack-spec.ts';
import { FARGATE_SIZES, stepUp, taskFor } from '../../lib/domain/task-step-up.ts';
import { aSpec } from '../support/stack-builder.ts';

const size = (cpu: number, memoryMiB: number): TaskSize => ({ cpu, memoryMiB, arch: 'arm64' });

const isOffered = ({ cpu, memoryMiB }: TaskSize) =>
  FARGATE_SIZES.some((offer) => offer.cpu === cpu && offer.memoryMiB.includes(memoryMiB));

const anySize = fc
  .constantFrom(...FARGATE_SIZES)
  .chain(({ cpu, memoryMiB }) => fc.constantFrom(...memoryMiB).map((amount) => size(cpu, amount)));

describe('stepUp', () => {
  it.each([
    [size(256, 512), size(256, 1024)],
    [size(256, 1024), size(256, 2048)],
    [size(256, 2048), size(512, 4096)],
    [size(512, 3072), size(1024, 6144)],
    [size(1024, 8192), size(2048, 16_384)],
    [size(2048, 16_384), size(8192, 32_768)],
    [size(4096, 9216), size(4096, 18_432)],
    [size(8192, 20_480), size(8192, 40_960)],
    [size(8192, 36_864), size(16_384, 73_728)],
  ])('makes %o into %o', (before, after) => {
    expect(stepUp(before, before)).toEqual(after);
  });

  it('keeps the architecture', () => {
    expect(stepUp({ ...size(256, 512), arch: 'amd64' }, size(256, 512))?.arch).toBe('amd64');
  });

  it('ends at what Fargate offers', () => {
    expect(stepUp(size(16_384, 65_536), size(16_384, 65_536))).toBeNull();
  });

  it('ends after three steps from what the catalogue says', () => {
    const declared = size(512, 1024);
    const steps: number[] = [];
    for (let next = stepUp(declared, declared); next !== null; next = stepUp(next, declared))
      steps.push(next.memoryMiB);
    expect(steps).toEqual([2048, 4096, 8192]);
  });

  it('gives a size that Fargate offers, with at least twice the memory and no less CPU', () => {
    fc.assert(
      fc.property(anySize, (before) => {
        const after = stepUp(before, before);
        if (after === null) return;
        expect(isOffered(after)).toBe(true);
        expect(after.memoryMiB).toBeGreaterThanOrEqual(2 * before.memoryMiB);
        expect(after.cpu).toBeGreaterThanOrEqual(before.cpu);
      }),
    );
  });
});

describe('taskFor', () => {
  it('takes what the catalogue says while nothing was learned', () => {
    expect(taskFor(aSpec({ task: size(512, 1024) }), null)).toEqual(size(512, 1024));
  });

  it('takes the larger size that was learned', () => {
    expect(taskFor(aSpec({ task: size(256, 512) }), size(512, 4096))).toEqual(size(512, 4096));
  });

  it('takes what the catalogue says once that is no smaller', () => {
    expect(taskFor(aSpec({ task: size(1024, 4096) }), size(512, 4096))).toEqual(size(1024, 4096));
  });

  it('takes a new architecture from the catalogue', () => {
    const task = { ...size(256, 512), arch: 'amd64' } as const;
    expect(taskFor(aSpec({ task }), size(256, 1024))).toEqual({ ...size(256, 1024), arch: 'amd64' });
  });

  it('goes back to the catalogue where the learned size is none of Fargate', () => {
    expect(taskFor(aSpec({ task: size(256, 512) }), size(256, 999_999))).toEqual(size(256, 512));
  });

  it('gives a size that Fargate offers, whatever was declared since', () => {
    fc.assert(
      fc.property(anySize, anySize, (declared, learned) => {
        const task = taskFor(aSpec({ task: declared }), learned);
        expect(isOffered(task)).toBe(true);
        expect(task.memoryMiB).toBeGreaterThanOrEqual(Math.max(declared.memoryMiB, learned.memoryMiB));
      }),
    );
  });
});
