import { Resvg } from '@resvg/resvg-js'

/** Draws one SVG as PNG and ends: whatever a hostile one does to this process, it does to no other process. */
const [HEIGHT, WIDTH_MOST] = [240, 1200]

process.once('message', (svg) => {
  process.send?.(draw(String(svg)), () => process.exit(0))
})

function draw(svg: string): string | null {
  try {
    const font = { loadSystemFonts: false }
    const { width, height } = new Resvg(svg, { font })
    const isWide = (width / height) * HEIGHT > WIDTH_MOST
    const fitTo = isWide
      ? ({ mode: 'width', value: WIDTH_MOST } as const)
      : ({ mode: 'height', value: HEIGHT } as const)
    return new Resvg(svg, { font, fitTo }).render().asPng().toString('base64')
  } catch {
    return null // what the renderer refuses is no logo
  }
}
