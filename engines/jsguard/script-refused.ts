export type RefusedKey =
  /** No JavaScript that the engine reads. */
  | 'syntax'
  | 'typescript'
  | 'jsx'
  /** JavaScript of a proposal that the engine does not know. */
  | 'newer'
  | 'not-text'
  /** Bytecode of the Hermes engine. */
  | 'hermes'
  | 'too-deep'
  | 'too-large'
  /** The obfuscator could not transform it. */
  | 'engine'
  /** Its output is no JavaScript. */
  | 'output'

/** Why a file keeps its original. Lines and columns count from 1; 0 where the reason has no place. */
export class ScriptRefused extends Error {
  readonly key: RefusedKey
  readonly line: number
  readonly column: number
  constructor(key: RefusedKey, message: string, line = 0, column = 0) {
    super(message)
    this.name = 'ScriptRefused'
    this.key = key
    this.line = line
    this.column = column
  }
}
