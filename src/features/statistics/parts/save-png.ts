import { token } from '../../../shared/theme/tokens.ts'

const SCALE = 2
const PAD = 20

/** Saves a chart's canvas with title, legend and the filters it shows, on the surface of the face. */
export function savePng(
  canvas: HTMLCanvasElement,
  words: { title: string; legend: string; footer: string; file: string },
): void {
  // A canvas that is not on the page was drawn at this sheet's scale.
  const [width, height] = canvas.isConnected
    ? [canvas.clientWidth, canvas.clientHeight]
    : [canvas.width / SCALE, canvas.height / SCALE]
  const sheet = document.createElement('canvas')
  sheet.width = (width + PAD * 2) * SCALE
  sheet.height = (height + 96) * SCALE
  const pen = sheet.getContext('2d')
  if (!pen || width === 0) return
  pen.scale(SCALE, SCALE)
  pen.fillStyle = token('surface')
  pen.fillRect(0, 0, sheet.width, sheet.height)
  const font = token('font-sans')
  const write = (text: string, y: number, style: string, color: string) => {
    pen.font = `${style} ${font}`
    pen.fillStyle = token(color)
    pen.fillText(text, PAD, y, width)
  }
  write(words.title, 28, '600 16px', 'text')
  write(words.legend, 48, '12px', 'muted')
  pen.drawImage(canvas, PAD, 56, width, height)
  write(words.footer, height + 80, '12px', 'muted')
  sheet.toBlob((blob) => blob && download(blob, `${words.file}.png`))
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
