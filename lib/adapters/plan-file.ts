import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import type { PlanFile, StateIdentity } from '../ports/engine-runner.ts';
import { readZipEntry } from './toolchain-zip.ts';

/** Reads a saved plan whole. */
export async function readPlanFile(file: string): Promise<PlanFile> {
  const content = await readFile(file);
  return { content, state: await readStateIdentity(content) };
}

const State = z.object({ lineage: z.string(), serial: z.int().min(0) });

/**
 * A plan file is a zip archive, and one of its entries is the state that the plan was made from: apply holds its lineage
 * and serial against the real one. Reading them here saves a `state pull`, which opens the backend once more.
 */
async function readStateIdentity(archive: Buffer): Promise<StateIdentity | null> {
  try {
    return State.parse(JSON.parse((await readZipEntry(archive, 'tfstate')).toString('utf8')));
  } catch (error) {
    // OpenTofu can encrypt plan files.
    if (error instanceof HoldfastError || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
