import { posix } from 'node:path';
import { sameRepository } from '../domain/same-repository.ts';
import type { OpenedCatalogue } from '../ports/catalogue-source.ts';
import type { CheckoutRequest, GitSource } from '../ports/git-source.ts';
import { createFolderCatalogueSource, isLeftOut, TERRAFORM_FILE } from './folder-catalogue-source.ts';

export interface GitCatalogue extends OpenedCatalogue {
  /** What the catalogue was read from. */
  readonly commit: string;
}

/**
 * Opens the catalogue of a repository, at one commit. Of it and of other repositories in which root modules are looked
 * for, only names are fetched beside the catalogue's own files.
 */
export async function openGitCatalogue(
  { source }: { readonly source: GitSource },
  { url, ref, path, signal }: Omit<CheckoutRequest, 'files'>,
): Promise<GitCatalogue> {
  const { root, commit } = await source.checkout({ url, ref, path, files: 'part', signal });
  const { files } = createFolderCatalogueSource({ cwd: root, paths: [path], checkouts: [] });
  return {
    commit,
    repository: { url, ref },
    source: {
      files,
      rootModules: async (other) => {
        const own = sameRepository(other.url, url);
        // Modules that somebody adds at this moment come with the next reading, as their settings do.
        const repository = own ? { url, ref: other.ref === ref ? commit : other.ref } : other;
        return rootModulesAmong(await source.list({ ...repository, signal }));
      },
    },
  };
}

function rootModulesAmong(files: readonly string[]): readonly string[] {
  const folders = files.filter((file) => TERRAFORM_FILE.test(file)).map((file) => posix.dirname(file));
  return [...new Set(folders)].filter((folder) => folder === '.' || !folder.split('/').some(isLeftOut)).sort();
}
