/** How buttons look, for elements that cannot be a Button: links, and the login page, which loads no component library. */
/** `danger`: a destructive verb on a page, outlined; `dangerFilled`: the button that does it, in the question. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger' | 'dangerFilled'
export type ButtonSize = 'control' | 'small'

const BASE =
  'inline-flex flex-none items-center justify-center gap-1.5 rounded border whitespace-nowrap transition-colors duration-(--quick) ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-canvas disabled:text-muted'
const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-brand-fill bg-brand-fill font-semibold text-brand-on hover:border-brand-fill-hover hover:bg-brand-fill-hover ' +
    'disabled:border-neutral disabled:bg-neutral disabled:font-normal',
  plain: 'border-line-strong bg-surface text-text hover:bg-hover [&>span:first-child:not(:last-child)]:text-muted',
  quiet:
    'border-transparent bg-transparent text-muted hover:bg-hover hover:text-text disabled:bg-transparent disabled:border-transparent',
  danger: 'border-line-strong bg-surface text-bad-text hover:border-bad hover:bg-bad-soft',
  dangerFilled: 'border-bad-fill bg-bad-fill font-semibold text-bad-on hover:brightness-110',
}
const SIZES: Record<ButtonSize, string> = { control: 'h-control px-3', small: 'h-7 px-2.5 text-12' }

export function buttonClass(variant: ButtonVariant = 'plain', size: ButtonSize = 'control'): string {
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]}`
}
