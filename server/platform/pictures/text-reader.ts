import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import type { GreyPicture, ImageTools, ReadText } from '#engines/detect/input/content-input.ts'
import { programCommand } from '../../programs.ts'
import { childEnvironment } from '../sandbox/isolation.ts'
import { packPictures } from './picture-frames.ts'

export type ReadingLimits = {
  /** Of one process, which reads as many pictures as it comes to; one that it did not get through as its first is given up. */
  turnMs: number
  allMs: number
  now(): number
}

const LIMITS: ReadingLimits = { turnMs: 15_000, allMs: 60_000, now: () => performance.now() }
/** Not the variant with relaxed SIMD, whose answers may differ from machine to machine. */
const CORE = 'tesseract.js-core/tesseract-core-simd-lstm.js'
const WORDS = '@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz'
const HEAP_MB = 512
const MOST_SAID = 8 * 2 ** 20

/**
 * Text recognition for a scan (Simplified Chinese, which reads Latin letters too), null where its optional packages are not installed.
 * Nothing is loaded before there is a picture to read.
 */
export function textReader(limits = LIMITS): ImageTools['readTexts'] {
  const { resolve } = createRequire(import.meta.url)
  try {
    const paths = [resolve(CORE), resolve(WORDS)]
    return (pictures) => readAll([...pictures], paths, limits)
  } catch {
    return null // the result of a scan says that texts were not read
  }
}

function readAll(pictures: readonly GreyPicture[], paths: readonly string[], limits: ReadingLimits): ReadText[] {
  const end = limits.now() + limits.allMs
  const texts: ReadText[] = pictures.map(() => null)
  // What was not to be decoded goes no further.
  let waiting = pictures.flatMap((picture, index) =>
    picture.data.length > 0 && picture.data.length === picture.width * picture.height ? [{ picture, index }] : [],
  )
  while (waiting.length > 0) {
    const left = Math.min(limits.turnMs, end - limits.now())
    if (left <= 0) break
    const said = takeTurn(
      waiting.map(({ picture }) => picture),
      paths,
      left,
    )
    said.forEach((text, at) => {
      const one = waiting[at]
      if (one && text !== null) texts[one.index] = { text }
    })
    // Its first picture got stuck, or broke it.
    waiting = waiting.slice(Math.max(1, said.length))
  }
  return texts
}

/** What one process read before it ended or was ended: a scan is one straight run that waits for it. */
function takeTurn(pictures: readonly GreyPicture[], paths: readonly string[], patienceMs: number): (string | null)[] {
  const { file, args } = programCommand('recognise-process', [
    `--max-old-space-size=${HEAP_MB}`,
    '--disable-wasm-trap-handler',
  ])
  const { stdout } = spawnSync(file, [...args, ...paths], {
    input: packPictures(pictures),
    env: childEnvironment(),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: Math.ceil(patienceMs),
    killSignal: 'SIGKILL',
    maxBuffer: MOST_SAID,
  })
  const lines = (stdout?.toString('utf8') ?? '').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as string | null)
}
