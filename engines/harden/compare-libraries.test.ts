import { expect, test } from 'vitest'
import { writeClass } from '#tests/support/class-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readPackage } from '../package/read-package.ts'
import { compareLibraries } from './compare-libraries.ts'

const elf = (exports: string[]) => writeElf({ machine: 183, soname: 'liba.so', exports })
const own = (method: string) => writeClass({ name: 'a/A', methods: [{ name: method, flags: 9, code: () => [0xb1] }] })
const aar = (files: Record<string, string | Uint8Array> = {}) =>
  writeZip(
    Object.entries({
      'AndroidManifest.xml': '<manifest package="a.b"/>',
      'classes.jar': writeZip([{ name: 'a/A.class', data: own('run()V') }]),
      'R.txt': 'int string a 0x0',
      'jni/arm64-v8a/liba.so': elf(['answer']),
      ...files,
    }).map(([name, data]) => ({ name, data })),
  )
const failed = (result: Uint8Array, source: Uint8Array = aar(), name = 'a.aar') =>
  compareLibraries(readPackage(source, name), readPackage(result, name))
    .checks.filter(({ passed }) => !passed)
    .map(({ check, detail }) => `${check}: ${detail}`)

test('a library that is the same passes every check', () => {
  const { checks, before, after } = compareLibraries(readPackage(aar(), 'a.aar'), readPackage(aar(), 'a.aar'))
  expect(checks.map(({ check, passed }) => [check, passed])).toEqual(
    ['archive', 'contents', 'classes', 'elf'].map((check) => [check, true]),
  )
  expect(before).toEqual(after)
  expect([before.classes, before.exported]).toEqual([1, null])
})

test('each change that no option makes fails its check, with the entry', () => {
  expect(failed(aar({ 'R.txt': 'int string b 0x0' }))).toEqual(['contents: R.txt: changed'])
  expect(failed(aar({ 'x.txt': 'x' }))).toEqual(['archive: x.txt: not in the original'])
  expect(failed(aar(), aar({ 'x.txt': 'x' }))).toEqual(['archive: x.txt: missing', 'contents: x.txt: changed'])
  const others = (method: string) => ({ 'classes.jar': writeZip([{ name: 'a/A.class', data: own(method) }]) })
  expect(failed(aar(others('walk()V')))).toEqual(['classes: classes.jar!/a/A.class: its declarations are not the same'])
  expect(failed(aar({ 'classes.jar': writeZip([{ name: 'a/A.class', data: 'no class' }]) }))).toEqual([
    'classes: classes.jar!/a/A.class: its declarations are not the same',
  ])
  expect(failed(aar({ 'jni/arm64-v8a/liba.so': elf(['other']) }))[0]).toContain('elf: jni/arm64-v8a/liba.so: ')
  expect(failed(aar({ 'jni/arm64-v8a/liba.so': 'x' }))).toEqual(['elf: jni/arm64-v8a/liba.so: cannot be read'])
  expect(failed(elf(['other']), elf(['answer']), 'liba.so')[0]).toContain('elf: ')
})

test('a result of another kind is refused', () => {
  const [source, result] = [readPackage(aar(), 'a.aar'), readPackage(elf([]), 'a.so')]
  expect(() => compareLibraries(source, result)).toThrow('the result reads as so')
})
