import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { GreyPicture } from '#engines/detect/input/content-input.ts'
import { boundedWasm } from './bounded-wasm.ts'
import { unpackPictures } from './picture-frames.ts'

/**
 * Reads the words in the pictures on standard input, one line of JSON each, and ends. A process of its own, within the bounds of the one
 * that starts it: who asks waits for it, and ends it when a picture takes too long.
 */
type Core = {
  FS: { writeFile(path: string, bytes: Uint8Array): void }
  TessBaseAPI: new () => {
    /** 0 where all went well. */
    Init(folder: string, language: string, mode: number): number
    SetImageFile(orientation: number, angle: number): number
    Recognize(monitor: null): number
    GetUTF8Text(): string
    MeanTextConf(): number
  }
}
type MakeCore = (options: {
  print(): void
  printErr(): void
  TesseractProgress(): void
  wasmBinary: Uint8Array
}) => Promise<Core>

const LANGUAGE = 'chi_sim'
const LSTM = 1
/** Discard recognised text below this confidence (0 to 100). */
const SURE = 40
/** 640 MiB. */
const PAGES = 10_240
const [, , core = '', words = ''] = process.argv

const silent = () => {}
const make = createRequire(import.meta.url)(core) as MakeCore
const tesseract = await make({
  print: silent,
  printErr: silent,
  TesseractProgress: silent,
  wasmBinary: boundedWasm(readFileSync(core.replace(/\.js$/, '.wasm')), PAGES),
})
tesseract.FS.writeFile(`${LANGUAGE}.traineddata`, gunzipSync(readFileSync(words)))
const reader = new tesseract.TessBaseAPI()
if (reader.Init('.', LANGUAGE, LSTM) !== 0) throw new Error('the reader does not take its data')
for (const picture of unpackPictures(readFileSync(0))) writeSync(1, `${JSON.stringify(read(picture))}\n`)

function read({ width, height, data }: GreyPicture): string | null {
  tesseract.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]))
  if (reader.SetImageFile(1, 0) !== 0 || reader.Recognize(null) !== 0) return null
  return reader.MeanTextConf() < SURE ? '' : reader.GetUTF8Text()
}
