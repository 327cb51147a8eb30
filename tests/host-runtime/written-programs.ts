import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { classesOf } from './assemble-smali.ts'

const FOLDER = fileURLToPath(new URL('programs/', import.meta.url))
const names = readdirSync(FOLDER)

/** All classes of programs/*.smali. */
export const WRITTEN_CLASSES: readonly string[] = names
  .filter((name) => name.endsWith('.smali'))
  .flatMap((name) => classesOf(readFileSync(join(FOLDER, name), 'utf8')))

/** Main classes with the standard output that programs/NAME.out says; its lines were checked by hand against what Java and Dalvik define. */
export const WRITTEN_PROGRAMS: readonly { readonly main: string; readonly stdout: string }[] = names
  .filter((name) => name.endsWith('.out'))
  .map((name) => ({ main: `programs.${name.slice(0, -4)}`, stdout: readFileSync(join(FOLDER, name), 'utf8') }))
