import type { CallSite, MethodFacts } from '../../dex/program.ts'
import { parameterTypes } from './code.ts'
import type { CodeContext } from './rule.ts'

const VERIFY = /;->verify\(Ljava\/lang\/String;Ljavax\/net\/ssl\/SSLSession;\)Z$/

/**
 * The constant that a host name verifier asks another one about in place of the name that it got: a certificate for that name is then good
 * for every server. Undefined where the answer also depends on the name that it got.
 */
export function constantHost({ program }: CodeContext, verify: MethodFacts): string | undefined {
  const calls = program.callsFrom(verify)
  const names = new Map<number, string>()
  for (const call of calls) {
    if (!VERIFY.test(call.callee)) continue
    const values = program.possibleArguments(call, 1)
    const [first] = values
    if (first?.kind === 'string' && values.every(({ kind }) => kind === 'string')) names.set(call.offset, first.value)
  }
  if (!names.size) return undefined
  const decides = program
    .returns(verify)
    .every((value) =>
      value.kind === 'call' ? names.has(value.location.offset) : value.kind === 'number' && Number(value.value) === 1,
    )
  const takesName = (call: CallSite) =>
    [...parameterTypes(call.callee), ''].some(
      (_, n) =>
        (n > 0 || call.kind !== 'static') &&
        program.possibleArguments(call, n).some((value) => value.kind === 'parameter' && value.index === 1),
    )
  return decides || !calls.some(takesName) ? [...names.values()][0] : undefined
}
