import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { pssMegabytes, startServer, treeOf, waitFor } from '../support/running-server.ts'

/**
 * `npm run soak [-- MINUTES]`: a wall with software graphics on the demo. Prints one JSON line a figure, all from minute 5 on, when the
 * demo has its history: frames per second over a minute with the renderer beside them, slope of the page's heap after forced
 * collection, memory of the server's processes.
 */
const minutes = Number(process.argv[2] ?? 30)
const rate = Number(process.env['DEMO_RATE'] ?? 20)
const FROM_MINUTE = Math.min(5, minutes / 2)
const server = await startServer({ env: { APPWARDEN_DEMO: '1', DEMO_RATE: String(rate) } })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--js-flags=--expose-gc',
  ],
})
let failed = 0
const say = (name: string, value: number, unit: string, limit: string, ok: boolean, extra: object = {}) => {
  console.log(JSON.stringify({ name, value: Math.round(value * 100) / 100, unit, limit, ok, ...extra }))
  if (!ok) failed++
}
try {
  let token = ''
  await waitFor(
    () => {
      try {
        token = JSON.parse(readFileSync(join(server.dataFolder, 'demo-state.json'), 'utf8')).displayToken ?? ''
      } catch {
        return false
      }
      return token !== ''
    },
    60_000,
    'the demo',
  )
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
  // The loader of these sources names functions by a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (one) => one')
  await page.goto(`${server.url}/maps?wall=1#token=${token}`)
  await page.waitForTimeout(15_000)
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.enable')

  const samples: [minute: number, megabytes: number][] = []
  const start = Date.now()
  let drawn = false
  let announced = false
  while (Date.now() - start < minutes * 60_000) {
    await page.waitForTimeout(30_000)
    await client.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await client.send('Runtime.getHeapUsage')) as { usedSize: number }
    const minute = (Date.now() - start) / 60_000
    if (minute >= FROM_MINUTE) samples.push([minute, usedSize / 1e6])
    if (minute >= FROM_MINUTE && !drawn) {
      drawn = true
      const { renderer, fps } = await page.evaluate(framesOver, 60_000)
      fps.sort((a, b) => a - b)
      const at = (share: number) => fps[Math.min(fps.length - 1, Math.floor(fps.length * share))] ?? 0
      say('wall frames per second, median', at(0.5), 'fps', '>= 15', at(0.5) >= 15, { renderer, rate })
      say('wall frames per second, 5th percentile', at(0.05), 'fps', '>= 8', at(0.05) >= 8, { renderer, rate })
    }
    if (minute >= 5 && !announced) {
      announced = true
      const processes = server.processes()
      // The simulated phones are not the product.
      const fleet = new Set(treeOf(processes.get('fleet') ?? -1))
      const pids = treeOf(processes.get('supervisor') ?? 0).filter((pid) => !fleet.has(pid))
      const each = Object.fromEntries([...processes].map(([name, pid]) => [name, Math.round(pssMegabytes([pid]))]))
      const pss = pssMegabytes(pids)
      say('memory of the processes after 5 minutes (PSS), without the fleet', pss, 'MB', '<= 1200', pss <= 1200, {
        rate,
        each,
      })
    }
  }
  const slope = slopeOf(samples) * 60
  say(`page heap slope, minutes ${FROM_MINUTE} to ${minutes}`, slope, 'MB/h', '< 10', slope < 10, {
    samples: samples.length,
    first: samples[0],
    last: samples.at(-1),
  })
} finally {
  await browser.close()
  await server.stop()
}
process.exit(failed ? 1 : 0)

/** Runs in the page: frames in each second, and who draws them. */
function framesOver(milliseconds: number): Promise<{ renderer: string; fps: number[] }> {
  const gl = document.createElement('canvas').getContext('webgl2')
  const info = gl?.getExtension('WEBGL_debug_renderer_info')
  const renderer = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : 'none'
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return new Promise((done) => {
    const fps: number[] = []
    const begin = performance.now()
    let frames = 0
    let second = begin
    const step = (now: number) => {
      frames++
      if (now - second >= 1000) {
        fps.push((frames * 1000) / (now - second))
        frames = 0
        second = now
      }
      if (now - begin < milliseconds) requestAnimationFrame(step)
      else done({ renderer, fps })
    }
    requestAnimationFrame(step)
  })
}

/** Least squares: megabytes a minute. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const n = points.length
  const [x, y] = [points.reduce((sum, [a]) => sum + a, 0) / n, points.reduce((sum, [, b]) => sum + b, 0) / n]
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  const under = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  return under ? over / under : 0
}
