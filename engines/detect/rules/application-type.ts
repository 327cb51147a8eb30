import type { RuleContext } from './rule-context.ts'

type Typed = Pick<RuleContext, 'applicationTypes'>

/** Is the application of one of these types? */
export const isOneOf = ({ applicationTypes }: Typed, ...types: readonly string[]): boolean =>
  applicationTypes.some((type) => types.includes(type))

/** Applications that handle money. */
export const isFinance = (context: Typed): boolean => isOneOf(context, 'financial_lending', 'online_payment')
