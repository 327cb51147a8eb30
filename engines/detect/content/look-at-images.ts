import { createHash } from 'node:crypto'
import { imageSize } from '../../icon/image-size.ts'
import type { ContentLimits, GreyPicture, ImageTools } from '../input/content-input.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Note } from '../result/scan-result.ts'
import { greyOf, sketchOf } from './picture-sketch.ts'

/** Contents of pictures, in the order of the package's largest first. */
export interface ImageText {
  readonly kind: 'qr' | 'text'
  readonly entry: string
  readonly text: string
}

const IMAGE_NAME = /\.(?:png|jpe?g|webp|gif|bmp)$/i
const SMALLEST_IMAGE = 400
/** No phone scans a smaller code. */
const SMALLEST_CODE = 100
/** Longer side that codes are looked for at, and that words are read at. */
const CODE_SIDE = 480
const TEXT_SIDE = 1280
/** Smaller ones hold no words that matter. */
const TEXT_BYTES = 2048
const TEXT_WIDTH = 100
const TEXT_HEIGHT = 40
/** Fewer edges are areas and photographs, more are noise. */
const FEWEST_EDGES = 0.004
const MOST_EDGES = 0.45

/** Pictures that no one read words in, by reason. */
type Left = Record<'small' | 'alike' | 'plain' | 'many' | 'unread', number>

/** Texts of QR codes and words in pictures, and notes on what was not examined. */
export function lookAtImages(
  inspected: InspectedPackage,
  tools: ImageTools,
  limits: ContentLimits,
): { readonly texts: readonly ImageText[]; readonly notes: readonly Note[] } {
  const images = inspected.entries.filter(
    ({ name, size }) => IMAGE_NAME.test(name) && !name.endsWith('.9.png') && size >= SMALLEST_IMAGE,
  )
  if (!images.length) return { texts: [], notes: [] }
  const notes: Note[] = []
  const tell = (key: string, zh: string, en: string) => notes.push({ key, text: { zh, en } })
  const { decode, readQr, readTexts } = tools
  if (!readTexts)
    tell(
      'content-no-text-recognition',
      `未安装文字识别组件（可选依赖 tesseract.js-core 与 @tesseract.js-data/chi_sim）：${images.length} 张图片中的文字未检测`,
      `text recognition is not installed (optional packages tesseract.js-core and @tesseract.js-data/chi_sim): words in ${images.length} pictures were not looked for`,
    )
  tell(
    'content-no-image-model',
    `不含图像识别模型（现有模型的权重许可未经核实，故不随产品提供）：未判断 ${images.length} 张图片的画面内容`,
    `no image model is shipped, since the licence of the weights of those that exist could not be verified: what ${images.length} pictures show was not judged`,
  )
  if (!decode || !readQr) {
    tell(
      'content-no-qr',
      `未安装二维码组件：${images.length} 张图片未解码`,
      `no QR reader is installed: ${images.length} pictures were not decoded`,
    )
    return { texts: [], notes }
  }
  // Large ones first: a code that people scan is no icon. Equal sizes keep the order of the package.
  const bySize = [...images].sort((one, other) => other.size - one.size)
  const looked = lookThrough(bySize, inspected, { decode, readQr, readTexts }, limits)
  if (bySize.length > limits.images)
    tell(
      'content-images',
      `图片过多：${bySize.length - limits.images} 张较小的图片未查二维码`,
      `too many pictures: no QR codes were looked for in the ${bySize.length - limits.images} smaller ones`,
    )
  if (looked.unreadable)
    tell(
      'content-image-unreadable',
      `${looked.unreadable} 张图片无法解码`,
      `${looked.unreadable} pictures cannot be decoded`,
    )
  if (!readTexts) return { texts: looked.codes, notes }
  const { left, candidates } = looked
  candidates.sort((one, other) => other.edges - one.edges || one.order - other.order)
  left.many += Math.max(0, candidates.length - limits.readImages)
  const chosen = candidates.slice(0, limits.readImages).sort((one, other) => one.order - other.order)
  const read = chosen.length === 0 ? [] : readTexts(picturesOf(chosen, inspected, decode))
  const words: ImageText[] = []
  chosen.forEach(({ name }, index) => {
    const answer = read[index]
    if (answer) words.push({ kind: 'text', entry: name, text: answer.text })
    else left.unread++
  })
  notes.push(...leftNote(left, words.length))
  return { texts: [...looked.codes, ...words], notes }
}

type Tools = { [Name in 'decode' | 'readQr']: NonNullable<ImageTools[Name]> } & Pick<ImageTools, 'readTexts'>
type Candidate = { readonly name: string; readonly edges: number; readonly order: number }

/** Decodes each distinct picture once: for codes, and for a look at whether it contains words. */
function lookThrough(
  images: InspectedPackage['entries'],
  inspected: InspectedPackage,
  { decode, readQr, readTexts }: Tools,
  limits: ContentLimits,
) {
  const most = readTexts ? Math.max(limits.images, limits.textImages) : limits.images
  const left: Left = { small: 0, alike: 0, plain: 0, many: Math.max(0, images.length - most), unread: 0 }
  const codes: ImageText[] = []
  const candidates: Candidate[] = []
  const seen = new Set<string>()
  let unreadable = 0
  images.slice(0, most).forEach(({ name, size: bytesLong }, order) => {
    const bytes = inspected.read(name)
    const size = bytes && imageSize(bytes)
    if (!bytes || !size) {
      unreadable++
      return
    }
    const { width, height } = size
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (seen.has(digest)) {
      left.alike++
      return
    }
    seen.add(digest)
    const scale = Math.min(1, CODE_SIDE / Math.max(width, height, 1))
    const forCode = order < limits.images && Math.min(width, height) * scale >= SMALLEST_CODE
    const forText = readTexts !== null && width >= TEXT_WIDTH && height >= TEXT_HEIGHT && bytesLong >= TEXT_BYTES
    if (!forText) left.small++
    if (!forCode && !forText) return
    const pixels = decode(bytes, CODE_SIDE)
    if (!pixels) {
      unreadable++
      return
    }
    if (forCode) for (const text of readQr(pixels)) codes.push({ kind: 'qr', entry: name, text })
    if (!forText) return
    const { likeness, edges } = sketchOf(greyOf(pixels))
    if (seen.has(likeness)) left.alike++
    else if (edges < FEWEST_EDGES || edges > MOST_EDGES) left.plain++
    else candidates.push({ name, edges, order })
    seen.add(likeness)
  })
  return { codes, candidates, unreadable, left }
}

/** One after the other, as they are asked for: large pictures shall not lie in memory together. */
function* picturesOf(
  chosen: readonly Candidate[],
  inspected: InspectedPackage,
  decode: Tools['decode'],
): Generator<GreyPicture> {
  for (const { name } of chosen) {
    const bytes = inspected.read(name)
    const pixels = bytes && decode(bytes, TEXT_SIDE)
    yield pixels ? greyOf(pixels) : { width: 0, height: 0, data: new Uint8Array() }
  }
}

function leftNote({ small, alike, plain, many, unread }: Left, read: number): Note[] {
  const parts: [number, string, string][] = [
    [small, '张过小', 'are too small'],
    [alike, '张与其他图片相同', 'look like others'],
    [plain, '张没有文字特征', 'show no sign of words'],
    [many, '张超出数量上限', 'are beyond the number that is read'],
    [unread, '张未能在时限内识别', 'could not be read in the time'],
  ]
  const seen = parts.filter(([count]) => count > 0)
  if (seen.length === 0) return []
  const zh = seen.map(([count, words]) => `${count} ${words}`).join('，')
  const en = seen.map(([count, , words]) => `${count} ${words}`).join(', ')
  return [
    {
      key: 'content-text-recognition',
      text: {
        zh: `识别了 ${read} 张图片中的文字；其余未识别：${zh}`,
        en: `words were read in ${read} pictures; of the others ${en}`,
      },
    },
  ]
}
