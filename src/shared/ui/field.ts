/** How form fields look, shared by the inputs and the login page. */
export const FIELD_LABEL = 'mb-1.5 block text-13 text-text'
export const FIELD_BOX =
  'h-control w-full min-w-0 rounded border border-line-strong bg-surface px-2.5 text-text transition-colors duration-(--quick) ' +
  'hover:border-faint disabled:cursor-not-allowed disabled:bg-canvas disabled:text-muted aria-invalid:border-bad invalid:border-bad'
export const FIELD_NOTE = 'mt-1 block text-12 text-muted'
export const FIELD_ERROR = 'mt-1 block text-12 text-bad-text'
