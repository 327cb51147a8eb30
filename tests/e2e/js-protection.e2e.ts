import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { jsguard } from '#sdk/vite-plugin/jsguard.ts'
import { writeZip } from '../support/zip-writer.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const PAGE = '/protect/js'
const pictures = process.env['E2E_PICTURES']

const PAY = `// 支付页
function transferFee(amount, level) {
  // 白金客户免手续费
  if (level === "platinum") return 0;
  const rate = amount > 50000 ? 0.002 : 0.001;
  return Math.max(2, Math.round(amount * rate));
}

function signOrder(order, salt) {
  var text = Object.keys(order).sort().map(function (key) { return key + '=' + order[key] }).join('&') + salt;
  var hash = 0;
  for (var i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return hash.toString(16);
}
document.querySelector('#pay').addEventListener('click', function () { signOrder({ amount: 1 }, 'salt') });
`
const H5 = writeZip([
  { name: 'www/index.html', data: '<!doctype html><script src="js/pay.js"></script>' },
  { name: 'www/js/pay.js', data: PAY },
  { name: 'www/js/legacy.js', data: 'var a = 1\nfunction broken( {\n' },
])

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
const picture = async (page: Page, name: string) => {
  if (!pictures) return
  for (const [width, height] of [
    [1920, 1080],
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(pictures, `js-protection-${name}-${width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('[JS-01] upload, cost of each preset, one function before and after, encryption, download, deletion', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: PAGE })
  await expect(page.getByText('请先上传 JS 文件').first()).toBeVisible()
  await picture(page, 'empty-zh-light')
  await choose(page, 'notes.txt', Buffer.from('text'))
  await expect(notice(page, 'JS 格式！')).toBeVisible()

  await choose(page, 'pay.js', Buffer.from(PAY))
  await expect(page.getByRole('heading', { name: 'pay.js' })).toBeVisible()
  for (const preset of ['low', 'medium', 'high'])
    await expect(page.getByTestId(`preset-${preset}`).getByTestId('size-factor')).toHaveText(/× \d/, {
      timeout: 60_000,
    })
  await expect(page.getByText(/样本 pay\.js/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('一个函数，前后')).toBeVisible()
  await expect(page.locator('#content').getByText('if (level === "platinum") return 0;')).toBeVisible()
  await picture(page, 'measured-zh-light')
  await expectAccessible(page, 'measured script')

  await page.getByTestId('preset-high').click()
  await page.getByRole('button', { name: '全部选项', exact: true }).click()
  await page.getByLabel('保留名').fill('on*')
  await picture(page, 'options-zh-light')
  await page.getByRole('button', { name: '应用', exact: true }).click()
  await page.getByRole('button', { name: '开始加密' }).click()
  await expect(page.getByRole('link', { name: /^下载 / })).toBeVisible({ timeout: 60_000 })
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: /^下载 \d/ }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('pay.protected.js')
  const code = readFileSync(await download.path(), 'utf8')
  expect(code).toContain('transferFee')
  expect(code).not.toMatch(/platinum|白金/)

  await choose(page, 'mbank-h5.zip', Buffer.from(H5))
  await expect(page.getByRole('heading', { name: 'mbank-h5.zip' })).toBeVisible()
  await page.getByRole('button', { name: '开始加密' }).click()
  await expect(page.getByText('加密成功，1 个未加密').first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/语法错误，第 3 行第 1 列/)).toBeVisible()
  await picture(page, 'kept-zh-light')
  await expectAccessible(page, 'result')

  await page.getByRole('button', { name: '删除…' }).click()
  await expect(page.getByText('原文件与加密结果都会永久删除，无法恢复。')).toBeVisible()
  await page.getByRole('button', { name: '取消', exact: true }).last().click()
  await expect(notice(page, '已取消删除')).toBeVisible()
  await page.getByRole('button', { name: '删除…' }).click()
  await page.getByRole('button', { name: '删除', exact: true }).click()
  await expect(notice(page, '删除成功!')).toBeVisible()
  await expect(page.getByTestId('script-total')).toHaveAttribute('data-value', '1')

  // A notification may lead to a script that is deleted by now.
  await page.goto(`${PAGE}?id=00000000-0000-4000-8000-000000000000`)
  await expect(page.getByText('这个文件不存在，或者已删除')).toBeVisible()
  await page.getByRole('button', { name: '返回列表' }).click()
  await expect(page).not.toHaveURL(/id=/)
})

test('the page in English and dark', async ({ page }) => {
  await signIn(page, 'operator', { at: PAGE, language: 'en', theme: 'dark' })
  await choose(page, 'view.js', Buffer.from('let x = <div/>'))
  await expect(page.getByText(/Cannot be measured: holds JSX: compile it first/)).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Encrypt', exact: true }).click()
  await expect(page.getByRole('cell', { name: 'Encryption failed' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/view\.js 1:9 Unexpected token/)).toBeVisible()
  await picture(page, 'failed-en-dark')
  await page.getByRole('cell', { name: 'pay.js' }).first().click()
  await expect(page.getByText('One function, before and after')).toBeVisible()
  await picture(page, 'measured-en-dark')
  await expectAccessible(page, 'dark')
})

/** Production builds of other people's frameworks, protected, in a page of a real browser. */
for (const [framework, source] of [
  [
    'React',
    `import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
function Counter() { const [n, set] = useState(0); return h('button', { id: 'b', onClick: () => set(n + 1) }, 'clicked ' + n + ' times') }
createRoot(document.getElementById('app')).render(h(Counter))`,
  ],
  [
    'Vue',
    `import { createApp, h, ref } from 'vue'
createApp({ setup() { const n = ref(0); return () => h('button', { id: 'b', onClick: () => n.value++ }, 'clicked ' + n.value + ' times') } }).mount('#app')`,
  ],
] as const)
  for (const preset of ['low', 'medium'] as const)
    test(`a production build of ${framework} works in a page at ${preset}`, async ({ page }) => {
      mkdirSync('reports', { recursive: true })
      const root = mkdtempSync(join(process.cwd(), 'reports', 'jsguard-build-'))
      try {
        writeFileSync(join(root, 'main.js'), source)
        const result = await build({
          root,
          configFile: false,
          logLevel: 'silent',
          define: {
            'process.env.NODE_ENV': '"production"',
            __VUE_OPTIONS_API__: 'true',
            __VUE_PROD_DEVTOOLS__: 'false',
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
          },
          plugins: [jsguard({ preset, strict: true })],
          build: { write: false, modulePreload: false, rolldownOptions: { input: join(root, 'main.js') } },
        })
        const [chunk] = (Array.isArray(result) ? result[0] : (result as { output: { code?: string }[] }))?.output ?? []
        const code = (chunk as { code: string }).code
        expect(code).not.toContain('clicked ')
        const errors: string[] = []
        page.on('pageerror', ({ message }) => errors.push(message))
        await page.route('**/jsguard-test', (route) =>
          route.fulfill({
            contentType: 'text/html',
            body: '<!doctype html><div id=app></div><script type=module src=/jsguard-test.js></script>',
          }),
        )
        await page.route('**/jsguard-test.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
        await page.goto('/jsguard-test')
        await page.locator('#b').click()
        await page.locator('#b').click()
        await expect(page.locator('#b')).toHaveText('clicked 2 times')
        expect(errors).toEqual([])
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    })
