import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, notice, signIn, test, URL_OF_SERVER } from './support/console.ts'

type Sent = { type: string; risk_type?: string; channel?: string; detail?: Record<string, unknown> }

/** A customer's shop on an origin of its own, with the SDK as it was downloaded. */
const shop = createServer()
/** Another origin that puts the shop into a frame. */
const framer = createServer()
let shopUrl = ''
let framerUrl = ''
let script = Buffer.alloc(0)
const init = (
  key: string,
) => `window.warden = AppWarden.init({ endpoint: '${URL_OF_SERVER}', key: '${key}', version: '2.1',
  channel: 'official', scripts: [] })`

test.beforeAll(async () => {
  const serve: RequestListener = (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    if (pathname === '/sdk.js') return reply.setHeader('content-type', 'text/javascript').end(script)
    const start = searchParams.get('key') ? `<script>${init(searchParams.get('key') as string)}</script>` : ''
    const body =
      pathname === '/frame' ? `<iframe src="${searchParams.get('of')}"></iframe>` : `<button id="pay">Pay</button>`
    reply
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><html lang="en"><script src="/sdk.js"></script>${start}${body}`)
  }
  for (const server of [shop, framer]) {
    server.on('request', serve)
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  }
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
  framerUrl = `http://localhost:${(framer.address() as AddressInfo).port}`
})
test.afterAll(() => {
  shop.close()
  framer.close()
})

/** Its appid; the account may have other applications already. */
async function createApplication(page: Page, name: string): Promise<string> {
  await signIn(page, 'operator')
  await page.getByRole('button', { name: /^切换应用/ }).click()
  await page.getByRole('dialog', { name: '应用列表' }).getByRole('button', { name: '新建应用' }).click()
  const dialog = page.getByRole('dialog', { name: '新建应用' })
  await dialog.getByRole('textbox', { name: '应用名称' }).fill(name)
  await dialog.getByText('Android', { exact: true }).click()
  await dialog.getByRole('button', { name: '创建', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/appid=/)
  return new URL(page.url()).searchParams.get('appid') ?? ''
}

/** Events as they leave a page, once the collector has them. */
function eventsOf(page: Page): Sent[] {
  const sent: Sent[] = []
  page.on('response', (answer) => {
    if (answer.status() === 202) sent.push(...(JSON.parse(answer.request().postData() ?? '[]') as Sent[]))
  })
  return sent
}

test.describe
  .serial('SDKs', () => {
    let appid = ''
    let key = ''

    test('[SDK-01] downloads are what their hashes say; optional fields can be switched off', async ({ page }) => {
      appid = await createApplication(page, '接入商城')
      await page.goto('/protect/sdk')
      const files = page.getByRole('region', { name: '下载' })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        files.getByRole('link', { name: /^下载 appwarden-web-[\d.]+[.]js$/ }).click(),
      ])
      script = readFileSync(await download.path())
      const hash = createHash('sha256').update(script).digest('hex')
      await expect(files.getByTitle(hash)).toBeVisible()

      const fields = page.getByRole('region', { name: '采集的字段' })
      await expect(fields.getByRole('row')).toHaveCount(23)
      await expect(fields.getByRole('row', { name: /^device_id/ })).toContainText('必需')
      await fields
        .getByRole('row', { name: /^channel/ })
        .locator('label')
        .click()
      await expect(notice(page, /已保存/)).toBeVisible()
      await expect(page.getByText('接入商城：已关闭 1 项')).toBeVisible()
      await page.reload()
      await expect(page.getByRole('switch', { name: '采集 channel' })).not.toBeChecked()
      await expect(page.getByText('· channel')).toHaveCount(0)
    })

    test('[SDK-02] the guide makes a public key, its code contains it, and it turns green with the first event', async ({
      page,
      context,
    }) => {
      await signIn(page, 'operator', { at: `/protect/guide?appid=${appid}` })
      await page.getByRole('button', { name: '创建注册密钥' }).click()
      const code = page.locator('pre').filter({ hasText: 'AppWarden.init' })
      await expect(code).toContainText(/key: 'aw_ek_[\w-]{43}'/)
      key = /aw_ek_[\w-]{43}/.exec((await code.textContent()) ?? '')?.[0] ?? ''
      await expect(page.getByText('等待第一条事件……')).toBeVisible()

      const visitor = await context.newPage()
      const sent = eventsOf(visitor)
      const asked: string[] = []
      visitor.on('request', (request) => asked.push(request.url()))
      await visitor.goto(`${shopUrl}/?key=${key}`)
      await visitor.waitForTimeout(500)
      // Not a byte before consent.
      expect(asked.filter((url) => url.startsWith(URL_OF_SERVER))).toEqual([])
      expect(await visitor.evaluate(() => indexedDB.databases())).toEqual([])
      await visitor.evaluate('warden.consent()')
      await expect.poll(() => sent.map(({ type }) => type), { timeout: 30_000 }).toContain('start')
      await expect(page.getByText('第一条事件已到达')).toBeVisible()
      await expect(page.getByRole('region', { name: '接入自检' })).toContainText('web-1.0.0')
      // What the operator switched off was learned before anything was sent.
      expect(sent.filter(({ channel }) => channel !== undefined)).toEqual([])
      await visitor.close()

      await page.getByRole('tab', { name: '服务端' }).click()
      const curl = page.locator('pre').filter({ hasText: 'curl' }).first()
      await expect(curl).toContainText('$APPWARDEN_SERVER_KEY')
      expect(await curl.textContent()).not.toContain('aw_sk_')
    })

    test('[SDK-01] in a browser: risks of the page, errors with stacks, what was recorded offline survives a reload, withdrawal deletes', async ({
      context,
    }) => {
      const visitor = await context.newPage()
      const sent = eventsOf(visitor)
      await visitor.goto(`${shopUrl}/?key=${key}`)
      await visitor.evaluate(() => {
        JSON.parse = new Function('return {}') as typeof JSON.parse
      })
      await visitor.evaluate('warden.consent()')
      await visitor.evaluate(() => {
        const script = document.createElement('script')
        script.src = 'http://127.0.0.1:9/skimmer.js'
        document.head.append(script)
        setTimeout(function payOut() {
          throw new TypeError('no card')
        })
        void Promise.reject(new Error('unhandled'))
      })
      await visitor.locator('#pay').click()
      await context.setOffline(true)
      await visitor.evaluate("warden.risk('custom', { rule: 'coupon' })")
      await visitor.waitForTimeout(500)
      // A reload needs the shop, but not what waits.
      await context.setOffline(false)
      await visitor.goto(`${shopUrl}/?key=${key}`)
      await visitor.evaluate('warden.consent()')
      const risks = () => sent.map(({ risk_type }) => risk_type)
      for (const risk of ['automation', 'integrity', 'injection', 'custom'])
        await expect.poll(risks, { timeout: 40_000 }).toContain(risk)
      const failures = sent.filter(({ type }) => type === 'exception').map(({ detail }) => detail)
      expect(failures).toContainEqual(
        expect.objectContaining({ reason: 'TypeError', message: 'no card', stack: expect.stringContaining('payOut') }),
      )
      expect(failures).toContainEqual(expect.objectContaining({ message: 'unhandled', rejected: true }))
      expect(sent.filter(({ type }) => type === 'web').map(({ detail }) => detail?.['kind'])).toContain('navigation')

      await visitor.evaluate('warden.withdraw()')
      expect(await visitor.evaluate(() => indexedDB.databases())).toEqual([])
      await visitor.close()
    })

    test('[SDK-01] framed by a page that is not allowed is an overlay', async ({ context }) => {
      const visitor = await context.newPage()
      const sent = eventsOf(visitor)
      const inner = `${shopUrl}/?key=${key}`
      await visitor.goto(`${framerUrl}/frame?of=${encodeURIComponent(inner)}`)
      await visitor
        .frames()
        .find((one) => one.url() === inner)
        ?.evaluate('warden.consent()')
      await expect
        .poll(() => sent.find(({ risk_type }) => risk_type === 'overlay')?.detail, { timeout: 40_000 })
        .toMatchObject({ kind: 'framed' })
      await visitor.close()
    })
  })
