import type { Located } from '../domain/catalogue-content.ts';
import type { CatalogueRepository } from '../domain/catalogue-spec.ts';
import type { SourceLocation } from '../domain/errors.ts';

/** A file of a catalogue, parsed and not yet understood. */
export interface CatalogueDocument extends Located {
  /** As its reader knows it, such as `catalogue/network.yaml`. */
  readonly name: string;
  /** What it says; of no use where there are mistakes. */
  readonly value: unknown;
  /** Why it can't be read as it is meant, in the order of their places. */
  readonly mistakes: readonly CatalogueMistake[];
}

export interface CatalogueMistake {
  /** One line, lower case. */
  readonly message: string;
  readonly location: SourceLocation;
}

export interface CatalogueSource {
  /** All files of the catalogue, at least one. Throws `CatalogueInvalid` where one that is named can't be read. */
  files(): Promise<readonly CatalogueDocument[]>;
  /**
   * Folders with Terraform files, relative to the root of a repository (`.`: the root), in order. Hidden folders are left
   * out. `undefined`: there is no copy of that repository to look into. Throws `SourceUnavailable` where there should be.
   */
  rootModules(repository: CatalogueRepository): Promise<readonly string[] | undefined>;
}

/** A catalogue and the repository that holds it. */
export interface OpenedCatalogue {
  readonly source: CatalogueSource;
  readonly repository: CatalogueRepository;
}
