/** How things that float look: menus, lists of a select, popovers. */
export const MENU_BOX = 'pop rounded border-0 bg-raised text-text shadow-raised'
export const MENU_ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-small px-2 text-text outline-none hover:bg-hover focus:bg-hover disabled:cursor-not-allowed disabled:text-muted'
