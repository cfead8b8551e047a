/** True where two Git URLs lead to one repository: by https or ssh, with or without `.git`. */
export function sameRepository(left: string, right: string): boolean {
  return repositoryKey(left) === repositoryKey(right);
}

/** Host and path of a Git URL, for comparison. */
export function repositoryKey(url: string): string {
  return url
    .replace(/^(?:https|ssh):\/\/(?:[^/@]*@)?/, '')
    .replace(/^[\w.-]+@([\w.-]+):/, '$1/')
    .replace(/^([^/:]+):\d+\//, '$1/')
    .replace(/^[^/]+/, (host) => host.toLowerCase())
    .replace(/(?:\.git)?\/*$/, '');
}
