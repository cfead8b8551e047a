const MOST_EDITS = 2;

/** The known word that somebody probably meant: at most two letters off, and less than half of it. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(MOST_EDITS, Math.ceil(word.length / 2) - 1) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) [nearest, least] = [candidate, edits];
  }
  return nearest;
}

/** Letters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (let at = 1; at < row.length; at += 1) {
      const replaced = (row[at - 1] as number) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] as number) + 1, (next[at - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}

/** `did you mean "timeout"?`, or the other advice where nothing is near. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? otherwise : `did you mean "${nearest}"?`;
}
