/** A `dl` of names and values. */
export const FACTS =
  'grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-5 [&_dd>span]:max-w-full gap-y-1.5 px-5 pt-1 pb-4'
