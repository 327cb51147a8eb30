import { isAscii, isUtf8 } from 'node:buffer'
import { type AnyNode, type Function as FunctionNode, type Node, type Options, type Program, parse } from 'acorn'
import { ScriptRefused } from './script-refused.ts'

/** Above this no strength would end in a bearable time; other files of the archive are not held up. */
export const MAX_SCRIPT_BYTES = 64 * 2 ** 20
/** Above this the tree of a script takes more memory than a worker has: reading it ends there. */
export const MOST_TOKENS = 3_000_000
/** First bytes of Hermes bytecode (React Native), and of a bundle with an index of modules ("RAM bundle"). */
const HERMES = Buffer.from('c61fbc03c103191f', 'hex')
const RAM_BUNDLE = Buffer.from('e5d10bfb', 'hex')

export interface ReadScript {
  /** Without a byte order mark. */
  readonly text: string
  readonly program: Program
  readonly sourceType: 'script' | 'module'
  /** What the cost of protecting it grows with; comments and spaces do not count. */
  readonly tokens: number
  /** Places where the meaning of the code may hang on its names or its text. */
  readonly warnings: readonly ScriptWarning[]
}

export interface ScriptWarning {
  readonly key: 'eval' | 'with'
  readonly line: number
}

export type ScriptFormat = 'script' | 'hermes' | 'ram-bundle' | 'binary'

/** What bytes that are called a script are, by their beginning and their encoding. */
export function scriptFormat(bytes: Uint8Array): ScriptFormat {
  const begins = (magic: Buffer) => magic.equals(bytes.subarray(0, magic.length))
  if (begins(HERMES)) return 'hermes'
  if (begins(RAM_BUNDLE)) return 'ram-bundle'
  return isText(bytes) ? 'script' : 'binary'
}

/** UTF-8 without NUL, which JavaScript has no use for. */
function isText(bytes: Uint8Array): boolean {
  return (isAscii(bytes) || isUtf8(bytes)) && !bytes.includes(0)
}

/**
 * Reads a script (ECMA-262, the edition that acorn knows) and says whether it is a module.
 * @param name its path: `.mjs` is a module, `.cjs` a script
 * Throws ScriptRefused, nothing else.
 */
export function readScript(bytes: Uint8Array, name: string): ReadScript {
  if (bytes.length > MAX_SCRIPT_BYTES)
    throw new ScriptRefused('too-large', `${bytes.length} bytes, the limit is ${MAX_SCRIPT_BYTES}`)
  const format = scriptFormat(bytes)
  if (format === 'hermes') throw new ScriptRefused('hermes', 'Hermes bytecode')
  if (format !== 'script')
    throw new ScriptRefused('not-text', format === 'binary' ? 'not UTF-8 text' : 'a bundle with an index of modules')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return parseScript(text, name)
}

/** `readScript` for text. */
export function parseScript(text: string, name: string): ReadScript {
  let tokens = 0
  const options = (sourceType: ReadScript['sourceType']): Options => ({
    ecmaVersion: 'latest',
    sourceType,
    allowHashBang: true,
    allowReturnOutsideFunction: sourceType === 'script',
    locations: false,
    onToken: () => {
      if (++tokens > MOST_TOKENS) throw new ScriptRefused('too-large', `more than ${MOST_TOKENS} tokens`)
    },
  })
  const asked: ReadScript['sourceType'][] = /\.mjs$/i.test(name)
    ? ['module']
    : /\.cjs$/i.test(name)
      ? ['script']
      : /^\s*(import|export)\b/m.test(text)
        ? ['module', 'script']
        : ['script', 'module']
  let first: unknown
  for (const sourceType of asked)
    try {
      tokens = 0
      const program = parse(text, options(sourceType))
      return { text, program, sourceType, tokens, warnings: warningsOf(program, text) }
    } catch (error) {
      if (error instanceof ScriptRefused) throw error
      first ??= error
    }
  throw refusal(first, text)
}

function refusal(error: unknown, text: string): ScriptRefused {
  if (error instanceof RangeError) return new ScriptRefused('too-deep', 'nested too deeply')
  const { message, pos, loc } = error as SyntaxError & { pos?: number; loc?: { line: number; column: number } }
  const place: [number, number] = loc ? [loc.line, loc.column + 1] : [0, 0]
  const what = message.replace(/ \(\d+:\d+\)$/, '')
  return new ScriptRefused(dialectAt(text, pos ?? 0), what, ...place)
}

/** What the text looks like where it stops being JavaScript. */
function dialectAt(text: string, at: number): 'syntax' | 'typescript' | 'jsx' | 'newer' {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 80)
  const rest = text.slice(at, at + 80)
  if (rest.startsWith('@') || /^\s*import\s+(defer|source)\s/.test(line)) return 'newer'
  if (/^<\/?[A-Za-z>]/.test(rest) && /<\/?[A-Za-z][\w.]*(\s[^<>]*)?\/?>/.test(text.slice(at, at + 2000))) return 'jsx'
  if (/^\s*(export\s+)?(interface|type|enum|namespace|declare|abstract\s+class)\s+\w/.test(line)) return 'typescript'
  if (/^[:?]/.test(rest) && /^\??:\s*[\w{[(]/.test(rest)) return 'typescript'
  if (/^(as|satisfies|private|public|protected|readonly|implements)\b/.test(rest)) return 'typescript'
  return 'syntax'
}

const MOST_WARNINGS = 50

function warningsOf(program: Program, text: string): ScriptWarning[] {
  const found: ScriptWarning[] = []
  // Most scripts hold neither word: then the tree is not walked.
  if (!/\b(eval|with)\b/.test(text)) return found
  visit(program, (node) => {
    if (found.length >= MOST_WARNINGS) return
    const isEval = node.type === 'CallExpression' && (node as CallNode).callee.name === 'eval'
    if (isEval || node.type === 'WithStatement')
      found.push({ key: isEval ? 'eval' : 'with', line: lineAt(text, node.start) })
  })
  return found
}
type CallNode = Node & { callee: Node & { name?: string } }

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Every node in the order of the text, without recursion: scripts of others are nested as deeply as they like. */
export function visit(root: Node, see: (node: Node, parent: Node | null) => void): void {
  const open: [Node, Node | null][] = [[root, null]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent] = next
    see(node, parent)
    for (const child of childrenOf(node).toReversed()) open.push([child, node])
  }
}

/** The nodes right below a node, in the order of the text. */
export const childrenOf = (node: Node): AnyNode[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

export const isFunction = (node: Node): node is AnyNode & FunctionNode =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
