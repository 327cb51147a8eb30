import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const PAGE = '/knowledge/vulnerabilities'

test('[VULN-01] the library is filtered by number and type; an entry opens, the address holds the view', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  const total = page.getByTestId('vulnerability-total')
  await expect(total).toHaveAttribute('data-value', '411')
  await page.getByRole('searchbox', { name: '漏洞编号' }).or(page.getByLabel('漏洞编号')).first().fill('CVE-2025-31200')
  await expect(total).toHaveAttribute('data-value', '1')
  await expect(page).toHaveURL(/number=CVE-2025-31200/)
  await page.getByRole('row', { name: /CVE-2025-31200/ }).click()
  const drawer = page.getByRole('dialog')
  for (const text of [
    'iOS CoreAudio 内存破坏漏洞',
    '高危',
    '内存破坏',
    '2025-04-16',
    '漏洞简介',
    '漏洞公告',
    '补丁',
    'iOS 18.4.1',
  ])
    await expect(drawer.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'https://nvd.nist.gov/vuln/detail/CVE-2025-31200' })).toBeVisible()
  await expectAccessible(page, 'vulnerability')
  await page.reload()
  await expect(drawer.getByText('iOS CoreAudio 内存破坏漏洞')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await page.goto(`${PAGE}?type=xxe`)
  await expect(total).toHaveAttribute('data-value', '1')
})

test('[VULN-01] an NVD file is imported, any other file is refused, and an imported entry can be deleted', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  const file = (name: string, content: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  })
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file('other.json', { a: 1 }))
  await expect(notice(page, '不是 NVD JSON 2.0 文件')).toBeVisible()
  const cve = {
    id: 'CVE-2026-99999',
    published: '2026-06-01T00:00:00.000',
    descriptions: [{ lang: 'en', value: 'A test.' }],
    metrics: { cvssMetricV31: [{ cvssData: { baseScore: 9.1 } }] },
  }
  await input.setInputFiles(file('nvd.json', { vulnerabilities: [{ cve }, { cve: { id: 'CVE-2026-99998' } }] }))
  await expect(notice(page, '新增 1，更新 0，内置 0')).toBeVisible()
  await page.goto(`${PAGE}?open=CVE-2026-99999`)
  const drawer = page.getByRole('dialog', { name: /CVE-2026-99999/ })
  await expect(drawer.getByText('超危')).toBeVisible()
  await drawer.getByRole('button', { name: '删除' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: '删除' }).last().click()
  await expect(notice(page, '删除成功!')).toBeVisible()
  await expect(page.getByTestId('vulnerability-total')).toHaveAttribute('data-value', '411')
})
