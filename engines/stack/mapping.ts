/**
 * ProGuard and R8 mapping files (format 2.x): `original -> obfuscated:` a class, below it its members, and comments that are JSON. A file
 * is indexed once, while it streams by; later only the classes of a stack are read.
 */
type ClassSpan = { original: string; obfuscated: string; offset: number; length: number }

const CLASS_LINE = /^(\S{1,1000}) -> (\S{1,1000}):\s*$/

/** Finds the position of each class. Feed it the bytes in order, then ask for `end()`. */
export function mappingIndexer(): { push(chunk: Uint8Array): void; end(): ClassSpan[] } {
  const spans: ClassSpan[] = []
  const decoder = new TextDecoder()
  let rest = new Uint8Array(0)
  /** Of `rest` in the file. */
  let base = 0

  const line = (bytes: Uint8Array, offset: number, length: number) => {
    const first = bytes[0]
    // Members are indented, comments begin with #: neither is a class.
    if (length === 0 || length > 2100 || first === 32 || first === 9 || first === 35 || first === 13) return
    const match = CLASS_LINE.exec(decoder.decode(bytes))
    if (!match) return
    const last = spans.at(-1)
    if (last) last.length = offset - last.offset
    spans.push({ original: match[1] as string, obfuscated: match[2] as string, offset, length: 0 })
  }
  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : joined(rest, chunk)
      let from = 0
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        line(bytes.subarray(from, at), base + from, at - from)
        from = at + 1
      }
      rest = bytes.slice(from)
      base += from
    },
    end() {
      line(rest, base, rest.length)
      const last = spans.at(-1)
      if (last) last.length = base + rest.length - last.offset
      return spans
    },
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** One line of a method: positions in the build, the method they were written in, positions there. Zero: unknown. */
export type MethodRange = {
  obfuscated: string
  /** '' where it is the class itself; another one where the method was moved or put in from there. */
  owner: string
  name: string
  from: number
  to: number
  originalFrom: number
  originalTo: number
  synthesized: boolean
  /** A piece of code that several methods share: it has no frame of its own in the source. */
  outline: boolean
  /** Of a call of an outline: line within the outline -> line here. */
  callsites?: Record<string, number>
  /** How many of the innermost frames to drop where this exception was thrown on the spot (descriptor). */
  rewrites?: { throws: string; remove: number }[]
}
export type ClassMapping = {
  original: string
  obfuscated: string
  sourceFile: string
  synthesized: boolean
  methods: MethodRange[]
}

const MEMBER =
  /^(?:(\d{1,9}):(\d{1,9}):)?(\S{1,1000}) ([^\s(]{1,1000})(\([^\s]*\))?(?::(\d{1,9}))?(?::(\d{1,9}))? -> (\S{1,1000})$/
const MAX_MEMBERS = 50_000

/** One class of a mapping file: the slice that the index names. Undefined where it does not begin with a class. */
export function readClassMapping(text: string): ClassMapping | undefined {
  const lines = text.split('\n')
  const head = CLASS_LINE.exec(lines[0] ?? '')
  if (!head) return undefined
  const mapping: ClassMapping = {
    original: head[1] as string,
    obfuscated: head[2] as string,
    sourceFile: '',
    synthesized: false,
    methods: [],
  }
  for (const raw of lines.slice(1, MAX_MEMBERS)) {
    const line = raw.trim()
    if (line.startsWith('#')) readComment(line.slice(1), mapping)
    else {
      const method = readMember(line)
      if (method) mapping.methods.push(method)
    }
  }
  return mapping
}

/** Fields have no brackets and are of no use for stacks. */
function readMember(line: string): MethodRange | undefined {
  const match = MEMBER.exec(line)
  if (!match || match[5] === undefined) return undefined
  const qualified = match[4] as string
  const dot = qualified.lastIndexOf('.')
  const number = (index: number) => (match[index] === undefined ? 0 : Number(match[index]))
  return {
    obfuscated: match[8] as string,
    owner: dot < 0 ? '' : qualified.slice(0, dot),
    name: qualified.slice(dot + 1),
    from: number(1),
    to: number(2),
    originalFrom: number(6),
    originalTo: number(7),
    synthesized: false,
    outline: false,
  }
}

/** What a comment says belongs to the member before it, or to the class if no member precedes it. Other comments are passed over. */
function readComment(text: string, mapping: ClassMapping): void {
  const comment = parseObject(text)
  const method = mapping.methods.at(-1)
  switch (comment?.['id']) {
    case 'sourceFile':
      if (typeof comment['fileName'] === 'string') mapping.sourceFile = comment['fileName']
      break
    case 'com.android.tools.r8.synthesized':
      if (method) method.synthesized = true
      else mapping.synthesized = true
      break
    case 'com.android.tools.r8.outline':
      if (method) method.outline = true
      break
    case 'com.android.tools.r8.outlineCallsite':
      if (method && typeof comment['positions'] === 'object' && comment['positions'])
        method.callsites = comment['positions'] as Record<string, number>
      break
    case 'com.android.tools.r8.rewriteFrame':
      if (method) addRewrite(method, comment)
  }
}

function addRewrite(method: MethodRange, comment: Record<string, unknown>): void {
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
  const throws = texts(comment['conditions']).map((one) => /^throws\((.*)\)$/.exec(one)?.[1])
  const remove = texts(comment['actions']).map((one) => /^removeInnerFrames\((\d{1,3})\)$/.exec(one)?.[1])
  if (throws.length === 1 && remove.length === 1 && throws[0] && remove[0])
    method.rewrites = [...(method.rewrites ?? []), { throws: throws[0], remove: Number(remove[0]) }]
}

/** R8 writes its comments with double quotes; older ones had single ones. */
function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.includes('{')) return undefined
  try {
    const value: unknown = JSON.parse(text.includes('"') ? text : text.replaceAll("'", '"'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
