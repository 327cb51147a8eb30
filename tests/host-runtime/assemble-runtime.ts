import { readdirSync, readFileSync } from 'node:fs'
import { assembleSmali, classesOf } from './assemble-smali.ts'

const FOLDER = new URL('../../engines/harden/runtime/', import.meta.url)
/** The first version of Android that loads every dex file of a package; it reads format 035. */
const API = 21

/** The dex file of engines/harden/runtime/*.smali, without lines: they would lead who reads it. */
export function assembleRuntime(): Uint8Array {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.smali'))
  return assembleSmali(
    names.sort().flatMap((name) => classesOf(readFileSync(new URL(name, FOLDER), 'utf8'))),
    API,
  )
}
