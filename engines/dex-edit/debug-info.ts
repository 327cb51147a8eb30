import { ByteReader } from '../bytes/byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { DEBUG, type DebugDetail, type DebugEvent, type DebugInfo } from './code-body.ts'

const LINE_BASE = -4
const LINE_RANGE = 15

/** Reads a debug_info_item: events with the code units at which they are. Throws FormatError `truncated`, `leb128`. */
export function readDebugInfo(bytes: Uint8Array, offset: number): DebugInfo<number> {
  const reader = new ByteReader(bytes, 'dex', { position: offset })
  const row = () => reader.uleb128() - 1
  const lineStart = reader.uleb128()
  const count = reader.uleb128()
  const parameterNames: number[] = []
  for (let i = 0; i < count; i++) parameterNames.push(row())
  const events: DebugEvent<number>[] = []
  let at = 0
  let line = lineStart
  const add = (code: number, fields: Partial<DebugEvent<number>> = {}) =>
    void events.push({ at, code, line, register: 0, name: -1, type: -1, signature: -1, ...fields })
  for (;;) {
    const code = reader.u8()
    if (code === DEBUG.end) return { lineStart, parameterNames, events }
    if (code === DEBUG.advancePc) at += reader.uleb128()
    else if (code === DEBUG.advanceLine) line = (line + reader.sleb128()) | 0
    else if (code === DEBUG.startLocal) add(code, { register: reader.uleb128(), name: row(), type: row() })
    else if (code === DEBUG.startLocalExtended)
      add(code, { register: reader.uleb128(), name: row(), type: row(), signature: row() })
    else if (code === DEBUG.endLocal || code === DEBUG.restartLocal) add(code, { register: reader.uleb128() })
    else if (code === DEBUG.setFile) add(code, { name: row() })
    else if (code < DEBUG.firstSpecial) add(code)
    else {
      const adjusted = code - DEBUG.firstSpecial
      line = (line + LINE_BASE + (adjusted % LINE_RANGE)) | 0
      at += Math.floor(adjusted / LINE_RANGE)
      add(DEBUG.firstSpecial)
    }
  }
}

/** What is left of debug information: lines alone, without names of parameters, variables and files. */
export function reduceDebugInfo<Place>(info: DebugInfo<Place>, detail: DebugDetail): DebugInfo<Place> {
  if (detail === 'all') return info
  const { lineStart, parameterNames, events } = info
  const kept: number[] = [DEBUG.firstSpecial, DEBUG.prologueEnd, DEBUG.epilogueBegin]
  return {
    lineStart,
    parameterNames: parameterNames.map(() => -1),
    events: events.filter(({ code }) => kept.includes(code)),
  }
}

/** New numbers of texts and types; -1 stays -1. */
export interface DebugRows {
  string(row: number): number
  type(row: number): number
}

/** Writes a debug_info_item whose events are in the order of their code units. */
export function writeDebugInfo(writer: ByteWriter, info: DebugInfo<number>, rows: DebugRows): void {
  writer.uleb(info.lineStart)
  writer.uleb(info.parameterNames.length)
  for (const name of info.parameterNames) writer.uleb(rows.string(name) + 1)
  let at = 0
  let line = info.lineStart
  const advancePc = (to: number) => {
    if (to === at) return
    writer.u8(DEBUG.advancePc)
    writer.uleb(to - at)
    at = to
  }
  for (const event of info.events) {
    if (event.code === DEBUG.firstSpecial) {
      let step = event.line - line
      if (step < LINE_BASE || step >= LINE_BASE + LINE_RANGE) {
        writer.u8(DEBUG.advanceLine)
        writer.sleb(step)
        step = 0
      }
      if (specialOf(step, event.at - at) > 0xff) advancePc(event.at)
      writer.u8(specialOf(step, event.at - at))
      at = event.at
      line = event.line
      continue
    }
    advancePc(event.at)
    writer.u8(event.code)
    if (event.code >= DEBUG.startLocal && event.code <= DEBUG.restartLocal) writer.uleb(event.register)
    if (event.code === DEBUG.startLocal || event.code === DEBUG.startLocalExtended) {
      writer.uleb(rows.string(event.name) + 1)
      writer.uleb(rows.type(event.type) + 1)
    }
    if (event.code === DEBUG.startLocalExtended) writer.uleb(rows.string(event.signature) + 1)
    if (event.code === DEBUG.setFile) writer.uleb(rows.string(event.name) + 1)
  }
  writer.u8(DEBUG.end)
}

const specialOf = (lines: number, units: number): number => DEBUG.firstSpecial + lines - LINE_BASE + LINE_RANGE * units
