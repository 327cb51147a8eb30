import type { CallSite, ClassFacts, MethodFacts, Program } from '../../dex/program.ts'

/** A method that a walk may begin with; calls of it that come after `until` (an offset) do not count. */
export interface EntryPoint {
  readonly method: MethodFacts
  readonly until?: number
}

/** How a method was first reached: the call that led to it and where that is; null for an entry point. */
interface Step {
  readonly method: MethodFacts
  readonly from: Step | null
  readonly call: CallSite | null
  readonly depth: number
  /** Calls from this offset on are behind a look at the consent. */
  readonly until: number
}

export interface ReachLimits {
  readonly methods: number
  readonly depth: number
  /** Overriding methods that one call may mean; of more than that nothing can be said. */
  readonly targets: number
}

export const REACH_LIMITS: ReachLimits = { methods: 20_000, depth: 14, targets: 6 }

/** What an object of such a class does once it is made is done soon after, on some thread. */
const RUNS = new Map<string, readonly string[]>([
  ['Ljava/lang/Runnable;', ['run()V']],
  ['Ljava/util/concurrent/Callable;', ['call()Ljava/lang/Object;']],
  ['Ljava/lang/Thread;', ['run()V']],
  ['Landroid/os/AsyncTask;', ['doInBackground([Ljava/lang/Object;)Ljava/lang/Object;']],
  ['Lkotlin/jvm/functions/Function0;', ['invoke()Ljava/lang/Object;']],
])

/**
 * Walks from entry points along calls (class hierarchy analysis), nearest methods first, so that the first way to a method is a shortest
 * one. Threads and tasks that are made on the way count as run. It stops at `limits`, so what it does not reach may still be reachable.
 */
export class Reach {
  private readonly program: Program
  private readonly steps = new Map<string, Step>()
  private readonly limits: ReachLimits
  readonly cut: boolean

  /** `stopsAt` states from which offset on the calls of a method no longer count; Infinity where all do. */
  constructor(
    program: Program,
    entries: readonly EntryPoint[],
    stopsAt: (method: MethodFacts) => number,
    limits: ReachLimits = REACH_LIMITS,
  ) {
    this.program = program
    this.limits = limits
    const queue: Step[] = []
    const enqueue = (
      method: MethodFacts,
      from: Step | null,
      call: CallSite | null,
      until = Number.POSITIVE_INFINITY,
    ) => {
      if (method.codeSize === 0 || this.steps.has(method.reference) || this.steps.size >= limits.methods) return
      const depth = from ? from.depth + 1 : 0
      const step = { method, from, call, depth, until: Math.min(until, stopsAt(method)) }
      this.steps.set(method.reference, step)
      queue.push(step)
    }
    for (const { method, until } of entries) enqueue(method, null, null, until)
    for (const step of queue) {
      if (step.depth >= limits.depth) continue
      for (const call of program.callsFrom(step.method)) {
        if (call.offset >= step.until) break
        for (const method of this.targets(call)) enqueue(method, step, call)
      }
    }
    this.cut = this.steps.size >= limits.methods
  }

  /** Calls from an entry point down to this location, outermost first, without the location itself; null where it is not reached. */
  wayTo(location: { readonly method: MethodFacts; readonly offset: number }): readonly CallSite[] | null {
    const last = this.steps.get(location.method.reference)
    if (!last || location.offset >= last.until) return null
    const way: CallSite[] = []
    for (let step: Step | null = last; step?.call; step = step.from) way.push(step.call)
    return way.reverse()
  }

  /** Calls of reached methods, those nearest to the entry points first. */
  *calls(): Generator<CallSite> {
    for (const { method, until } of this.steps.values())
      for (const call of this.program.callsFrom(method)) {
        if (call.offset >= until) break
        yield call
      }
  }

  private targets(call: CallSite): MethodFacts[] {
    const arrow = call.callee.indexOf('->')
    const owner = call.callee.slice(0, arrow)
    const member = call.callee.slice(arrow + 2)
    const targets: MethodFacts[] = []
    const own = this.inherited(owner, member)
    if (own) targets.push(own)
    if (call.kind === 'virtual' || call.kind === 'interface') targets.push(...this.overriding(owner, member))
    const made = member.startsWith('<init>(') ? this.program.classOf(owner) : undefined
    if (made) targets.push(...this.runBy(made))
    // Code that calls into a class for the first time runs its static initialiser.
    const initialised =
      call.kind === 'static' || made ? methodOf(this.program.classOf(owner), '<clinit>()V') : undefined
    if (initialised) targets.push(initialised)
    return targets
  }

  private inherited(owner: string, member: string): MethodFacts | undefined {
    const seen = new Set<string>()
    for (let at: string | null = owner; at !== null && !seen.has(at); ) {
      seen.add(at)
      const facts: ClassFacts | undefined = this.program.classOf(at)
      const found = methodOf(facts, member)
      if (found) return found
      at = facts?.superclass ?? null
    }
    return undefined
  }

  private overriding(owner: string, member: string): MethodFacts[] {
    if (!this.program.classOf(owner)) return []
    const found: MethodFacts[] = []
    for (const heir of this.program.subclassesOf(owner)) {
      const method = methodOf(heir, member)
      if (method) found.push(method)
      if (found.length > this.limits.targets) return []
    }
    return found
  }

  private runBy(made: ClassFacts): MethodFacts[] {
    return [...RUNS].flatMap(([ancestor, members]) =>
      this.program.isA(made.descriptor, ancestor) ? members.flatMap((member) => methodOf(made, member) ?? []) : [],
    )
  }
}

const members = new WeakMap<ClassFacts, ReadonlyMap<string, MethodFacts>>()

/** The defined method `name(…)…` of a class. */
export function methodOf(facts: ClassFacts | undefined, member: string): MethodFacts | undefined {
  if (!facts) return undefined
  let known = members.get(facts)
  if (!known) {
    known = new Map(facts.methods.map((one) => [one.reference.slice(one.reference.indexOf('->') + 2), one]))
    members.set(facts, known)
  }
  return known.get(member)
}
