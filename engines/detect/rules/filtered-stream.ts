import type { MethodFacts, Program } from '../../dex/program.ts'

const STREAM = 'Ljava/io/ObjectInputStream;'
const RESOLVE = 'resolveClass(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;'
/** What a stream throws for a class that it does not take. */
const REFUSALS = /^L(?:java\/io\/Invalid(?:Class|Object)|java\/lang\/(?:ClassNotFound|Security))Exception;-><init>\(/

/**
 * Does the method read from a stream of the package's own that refuses classes in `resolveClass`, the filter of Java before ObjectInputFilter? One that only
 * looks for classes elsewhere throws nothing itself.
 */
export function makesFilteredStream(program: Program, method: MethodFacts): boolean {
  return program.callsFrom(method).some(({ callee }) => {
    const [owner = ''] = callee.split('->')
    if (owner === STREAM || !callee.startsWith(`${owner}-><init>(`) || !program.isA(owner, STREAM)) return false
    const resolve = program.classOf(owner)?.methods.find(({ reference }) => reference === `${owner}->${RESOLVE}`)
    return resolve !== undefined && program.callsFrom(resolve).some((call) => REFUSALS.test(call.callee))
  })
}
