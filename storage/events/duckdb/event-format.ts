/** Format of the files that this version reads and writes. Changes whenever older files need a step in convert-format.ts. */
export const FORMAT = 2
