import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { createKey } from '#server/modules/communication/key-rows.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { GatewayClient } from '../support/gateway-bed.ts'
import { waitFor } from '../support/running-server.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test, URL_OF_SERVER } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

async function createApplication(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^切换应用/ }).click()
  await page.getByRole('dialog', { name: '应用列表' }).getByRole('button', { name: '新建应用' }).click()
  const dialog = page.getByRole('dialog', { name: '新建应用' })
  await dialog.getByRole('textbox', { name: '应用名称' }).fill(name)
  await dialog.getByText('Android', { exact: true }).click()
  await dialog.getByRole('button', { name: '创建', exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('[COMM-02] a key is made, tried out in the browser, replaced and closed', async ({ page }) => {
  await signIn(page, 'operator')
  await createApplication(page, 'Sealed wallet')
  await page.goto('/protect/communication')
  await page.getByRole('button', { name: '新建密钥' }).first().click()
  const dialog = page.getByRole('dialog', { name: '新建密钥' })
  await dialog.getByRole('textbox', { name: '有效天数' }).fill('100')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(notice(page, /已新建密钥 k-\d{4}/)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Sealed wallet' })
  await expect(row.getByText('使用中')).toBeVisible()

  await page.goto('/protect/component')
  await expect(page.getByTestId('which-gateway')).toContainText('控制台在本机启动了同一份网关代码')
  await page.getByRole('button', { name: '开始测试' }).click()
  const broken = page.getByRole('region', { name: '故意弄坏' })
  await expect(broken.getByRole('row')).toHaveCount(7, { timeout: 30_000 })
  await expect(broken.getByText('拒绝', { exact: true })).toHaveCount(6)
  await expect(broken.getByText('重放，序号已用过')).toBeVisible()
  for (const stage of ['handshake', 'open', 'claim', 'upstream', 'seal'])
    await expect(page.locator(`[data-stage="${stage}"]`)).toBeVisible()
  await expectAccessible(page, 'the security component')

  await page.goto('/protect/communication')
  await row.getByRole('button', { name: /的操作$/ }).click()
  await page.getByRole('menuitem', { name: '轮换' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '轮换' }).click()
  await expect(page.getByTestId('rotation-left')).toContainText('可以停收')
  await expectAccessible(page, 'communication protection')
  await page.getByRole('button', { name: '现在停收…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '停收' }).click()
  await expect(notice(page, /已停收/)).toBeVisible()
  await expect(page.getByTestId('rotation-left')).toHaveCount(0)
})

/** `appwarden gateway` as it is delivered, beside the server of this worker. */
async function startGateway(sender: Sender, upstream: string): Promise<{ child: ChildProcess; url: string }> {
  const options = ['--upstream', upstream, '--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0']
  const child = spawn(process.execPath, ['dist/node/cli.js', 'gateway', ...options, '--collector', URL_OF_SERVER], {
    env: {
      ...process.env,
      APPWARDEN_DATA: process.env['E2E_DATA'] ?? '',
      APPWARDEN_TRUST_PROXY: '127.0.0.1',
      APPWARDEN_GATEWAY_INGEST_KEYS: `${sender.appid}=${sender.serverKey}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  await waitFor(() => /^metrics/m.test(text) || child.exitCode !== null, 30_000, 'the gateway')
  const [, url = ''] = /^gateway (\S+)/m.exec(text) ?? []
  if (!url) throw new Error(text)
  return { child, url }
}

test('[COMM-01] [OBS-01] changed, replayed and unknown-key messages at a gateway are counted, named and drawn in the observatory', async ({
  page,
}) => {
  const sender = await makeSender('operator2', '网关事件样例')
  const data = process.env['E2E_DATA'] ?? ''
  const meta = await openMeta(data)
  const secret = await openSecrets({ meta, keyFolder: join(data, 'keys'), now: Date.now })
  const { owner_id } = await meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(sender.appid))
    .executeTakeFirstOrThrow()
  const key = await createKey({ meta, secret, now: Date.now }, Number(sender.appid), 30, owner_id)
  const upstream = createServer((request, response) => void request.resume().on('end', () => response.end('done')))
  await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening))
  const { port } = upstream.address() as AddressInfo
  const { child, url } = await startGateway(sender, `http://127.0.0.1:${port}`)
  try {
    await signIn(page, 'operator2', { at: `/maps?f=app:${sender.appid}` })
    await expect(page.getByTestId('connection')).toContainText('实时')
    const count = page.getByTestId('attacks-today')
    await expect(count).toHaveText('0')
    const client = new GatewayClient(url)
    const from = { 'x-forwarded-for': '8.8.8.8' }
    expect(await client.connect(key, 'android/9.4.0')).toBe(200)
    const { message } = client.seal('/pay', '{}')
    expect((await client.post('/pay', message, from)).status).toBe(200)
    expect((await client.post('/pay', message, from)).status).toBe(400)
    const changed = client.seal('/pay', '{}').message
    changed[60] = (changed[60] as number) ^ 1
    expect((await client.post('/pay', changed, from)).status).toBe(400)
    await client.post(SESSION_HTTP.handshakePath, client.hello({ ...key, kid: 999_999 }).hello, from)
    await expect(count).toHaveText('3', { timeout: 20_000 })
    const feed = page.getByTestId('feed')
    for (const risk of ['中间人', '完整性不符', '自定义']) await expect(feed).toContainText(risk)
    await expect(feed).toContainText('美国')
    await expect(feed).toContainText('已拦截')
    await expect
      .poll(async () => Number((await page.getByTestId('drawn').textContent())?.split('/')[0] ?? ''))
      .toBeGreaterThan(0)
    await feed.getByRole('button').filter({ hasText: '中间人' }).first().click()
    await expect(page.getByRole('dialog')).toContainText('replayed')
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
    upstream.closeAllConnections()
    upstream.close()
    await meta.close()
    await sender.remove()
  }
})
