/** Reading what people type and paste into the form of baselines. Lines are counted from 1. */

const SHA256 = /^[0-9a-f]{64}$/
const PART = /^[\w.\-/]{1,64}$/

type Read<T> = { value: T; badLine: number | null }

const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

/** SHA-256 by line, with or without colons, in any case. */
export function readSigners(text: string): Read<string[]> {
  const value: string[] = []
  let badLine: number | null = null
  for (const [index, line] of linesOf(text).entries()) {
    if (line === '') continue
    const hex = line.replaceAll(':', '').toLowerCase()
    if (SHA256.test(hex)) value.push(hex)
    else badLine ??= index + 1
  }
  return { value: [...new Set(value)], badLine }
}

/** Lines `name=SHA-256`. */
export function readHashes(text: string): Read<Record<string, string>> {
  const value: Record<string, string> = {}
  let badLine: number | null = null
  for (const [index, line] of linesOf(text).entries()) {
    if (line === '') continue
    const at = line.lastIndexOf('=')
    const [name, hash] = [
      line.slice(0, Math.max(0, at)).trim(),
      line
        .slice(at + 1)
        .trim()
        .toLowerCase(),
    ]
    if (PART.test(name) && SHA256.test(hash)) value[name] = hash
    else badLine ??= index + 1
  }
  return { value, badLine }
}

/** Channels, separated by commas of either script or lines. */
export function readChannels(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,，、\n]/)
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    ),
  ]
}
