import { linesOf } from './phone-text.ts'

/** What `dumpsys package <package>` says of an installed package. */
export interface InstalledPackage {
  readonly uid: number
  readonly versionName: string
  readonly debuggable: boolean
  /** Permission -> granted. */
  readonly granted: ReadonlyMap<string, boolean>
}

const MOST_LINES = 20_000
const MOST_PERMISSIONS = 1000

/** Undefined where no such package is installed. */
export function readPackageDump(text: string, id: string): InstalledPackage | undefined {
  const lines = linesOf(text, MOST_LINES)
  const begin = lines.findIndex((line) => line.trim().startsWith(`Package [${id}] `))
  if (begin < 0) return undefined
  const own = lines.slice(begin + 1)
  const next = own.findIndex((line) => /^\s{0,2}(?:Package \[|\S[^:]{0,60}:$)/.test(line))
  const block = next < 0 ? own : own.slice(0, next)
  const value = (pattern: RegExp) => block.map((line) => pattern.exec(line)?.[1]).find((one) => one !== undefined)
  const uid = Number(value(/^\s*(?:userId|appId)=(\d{1,10})\b/) ?? Number.NaN)
  if (!Number.isInteger(uid)) return undefined
  const granted = new Map<string, boolean>()
  for (const line of block) {
    const match = /^\s{2,20}([\w.]{3,200}): granted=(true|false)\b/.exec(line)
    if (match && granted.size < MOST_PERMISSIONS) granted.set(match[1]!, match[2] === 'true')
  }
  return {
    uid,
    versionName: value(/^\s*versionName=(\S{1,100})/) ?? '',
    debuggable: /\bDEBUGGABLE\b/.test(value(/^\s*(?:pkgF|f)lags=\[(.{0,500})\]/) ?? ''),
    granted,
  }
}
