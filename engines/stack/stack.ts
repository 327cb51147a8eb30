/** A stack text as facts: what was thrown, what caused it, and the frames of each, top frame first. */
export type Frame = {
  /** The line as it came, without the space around it. */
  raw: string
  language: 'java' | 'native' | 'js'
  /** Class, library or binary, address of the script; '' where the line has none. */
  module: string
  /** Method or function; '' where the line has none. */
  name: string
  /** Source file; '' where unknown. */
  file: string
  /** From 1; 0 where unknown. */
  line: number
  /** From 1; 0 where unknown. JavaScript alone. */
  column: number
  /** Of native frames without a function: where in the library, hex. */
  address: string
  /** Made by retracing: the compiler had put this method into the next one. */
  inlined?: true
  /** Made by retracing: the line in its source, with some around it; `from` is the number of the first. */
  context?: { from: number; lines: string[] }
}

export type Segment = {
  /** `thread`: the frames of a waiting thread (ANR traces). */
  relation: 'thrown' | 'caused' | 'suppressed' | 'thread'
  /** Class of the exception, signal, or name of the thread; '' where the text has none. */
  type: string
  message: string
  frames: Frame[]
  /** `... n more`: frames in common with the segment that encloses it. */
  omitted: number
}

export type Stack = {
  segments: Segment[]
  /** The text was longer than what is read. */
  cut: boolean
}

/** What is read of a text, however long it is. */
export const STACK_LIMITS = { lines: 600, line: 1000, characters: 65_536, message: 2000 } as const
