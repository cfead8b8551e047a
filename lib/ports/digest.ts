/** SHA-256 of a UTF-8 text, as 64 lower-case hex digits. */
export type Sha256 = (text: string) => string;
