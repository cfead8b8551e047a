/** ULIDs: sortable by time, unique without coordination. */
export interface IdSource {
  next(now: Date): string;
}
