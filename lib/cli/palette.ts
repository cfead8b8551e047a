import { styleText } from 'node:util';

export type Ink = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/** Puts ink on one line of text; without colour it gives the text back. */
export type Paint = (ink: Ink, text: string) => string;

/** The caller has decided about colour, so the state of the process's own streams is not asked. */
export function createPaint({ color }: { readonly color: boolean }): Paint {
  return (ink, text) => (color && text !== '' ? styleText(ink, text, { validateStream: false }) : text);
}
