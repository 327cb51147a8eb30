import { readJavaFrame } from './read-java-frame.ts'
import { readJsFrame } from './read-js-frame.ts'
import { readNativeFrame } from './read-native-frame.ts'
import { type Frame, type Segment, STACK_LIMITS, type Stack } from './stack.ts'

const MORE = /^\.\.\. (\d{1,6}) (?:more|common frames omitted)$/
const THREAD = /^"([^"]{0,200})"(?: .*)?$/
const JAVA_THREAD = /^Exception in thread "[^"]{0,200}" /
const SIGNAL = /^(?:Fatal )?signal (\d{1,3}) \((SIG[A-Z0-9]{1,10})\)(.*)$/
const APPLE_TYPE = /^Exception Type: +(\S{1,80})(.*)$/
const APPLE_UNCAUGHT = /^\*\*\* Terminating app due to uncaught exception '([^']{1,200})', reason: '?(.*)$/
const THROWN = /^([A-Za-z_$][\w$.]{0,300})(?:: ?(.*))?$/s
/** What the texts say around the frames. */
const NOISE =
  /^(?:backtrace:|Last Exception Backtrace:|Thread \d+.*:|\*\*\* \*\*\*.*|Stack trace:|\[CIRCULAR REFERENCE.*|\| .*|- .*|pid: .*|Build fingerprint.*|ABI: .*)$/

/**
 * Reads a stack text of Java and Kotlin, of native code (Android, iOS) or of a browser, also mixed. Any text gives a stack: what is no
 * frame counts to the message before the first one and is left out after it.
 */
export function readStack(text: string): Stack {
  const lines = text.slice(0, STACK_LIMITS.characters).split('\n', STACK_LIMITS.lines + 1)
  const segments: Segment[] = []
  for (const line of lines.slice(0, STACK_LIMITS.lines)) readLine(line.slice(0, STACK_LIMITS.line), segments)
  const cut = text.length > STACK_LIMITS.characters || lines.length > STACK_LIMITS.lines
  return { segments: segments.filter((one) => one.frames.length > 0 || one.type !== '' || one.message !== ''), cut }
}

function readLine(line: string, segments: Segment[]): void {
  const text = line.trim()
  if (text === '') return
  const frame = readFrame(text)
  if (frame) {
    const last = segments.at(-1) ?? begin(segments, 'thrown', '', '')
    last.frames.push(frame)
    return
  }
  const more = MORE.exec(text)
  const last = segments.at(-1)
  if (more) {
    if (last) last.omitted = Number(more[1])
    return
  }
  if (text.startsWith('Caused by: ')) return void thrown(segments, 'caused', text.slice(11))
  if (text.startsWith('[cause]: ')) return void thrown(segments, 'caused', text.slice(9))
  if (text.startsWith('Suppressed: ')) return void thrown(segments, 'suppressed', text.slice(12))
  const thread = THREAD.exec(text)
  if (thread) return void begin(segments, 'thread', thread[1] as string, '')
  if (NOISE.test(text)) return
  const signal = SIGNAL.exec(text) ?? APPLE_UNCAUGHT.exec(text) ?? APPLE_TYPE.exec(text)
  if (signal) {
    const named = signal.length === 4
    const [type, message] = named ? [signal[2], signal[3]] : [signal[1], signal[2]]
    return void begin(segments, 'thrown', type as string, (message as string).replace(/^[,\s]+|'$/g, ''))
  }
  if (!last) return void thrown(segments, 'thrown', text.replace(JAVA_THREAD, ''))
  // Messages run over several lines; after the first frame nothing belongs to them.
  if (last.frames.length === 0 && last.message.length < STACK_LIMITS.message)
    last.message = `${last.message}\n${text}`.trim()
}

/** The frame that a line is, or undefined. */
function readFrame(text: string): Frame | undefined {
  if (text.startsWith('at ')) return readJavaFrame(text) ?? readJsFrame(text)
  const first = text.charCodeAt(0)
  if (first === 35 || (first >= 48 && first <= 57) || text.startsWith('native: #')) return readNativeFrame(text)
  return text.includes('@') ? readJsFrame(text) : undefined
}

function thrown(segments: Segment[], relation: Segment['relation'], text: string): void {
  const match = THROWN.exec(text)
  begin(segments, relation, match?.[1] ?? '', (match ? match[2] : text) ?? '')
}

function begin(segments: Segment[], relation: Segment['relation'], type: string, message: string): Segment {
  const segment: Segment = { relation, type, message: message.slice(0, STACK_LIMITS.message), frames: [], omitted: 0 }
  segments.push(segment)
  return segment
}
